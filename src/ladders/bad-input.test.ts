import { describe, expect, it } from 'vitest'
import type { Item } from '../core/index.ts'
import { ladderFor } from './ladder-for.ts'

const escape = '\u001b'
const nested = `${'[{"a":'.repeat(5_000)}1${'}]'.repeat(5_000)}`
const wide = (separator: string): string => {
  const row = (first: string): string => Array.from({ length: 10_000 }, (_, at) => `${first}${at}`).join(separator)
  return [row('name'), row('1'), row('2'), row('3')].join('\n')
}

/** What comes from a tool that has gone wrong, and what makes parsers go wrong. */
const texts: readonly (readonly [name: string, text: string])[] = [
  ['JSON of 10,000 levels', nested],
  ['JSON of 10,000 levels that ends early', nested.slice(0, 40_000)],
  ['5 MB on one line', 'lorem ipsum dolor '.repeat(290_000)],
  ['5 MB of one string in JSON', JSON.stringify({ data: 'x'.repeat(5_000_000) })],
  ['a table of 10,000 columns', wide(',')],
  ['a table of 10,000 columns with tabs', wide('\t')],
  ['a log of ANSI sequences', `${`${escape}[31m${escape}[2J${escape}[1;1H`.repeat(200)}ERROR: it failed\n`.repeat(200)],
  ['ANSI sequences that never end', `${escape}[${'1;'.repeat(200_000)}\n${escape}]8;;${'a'.repeat(200_000)}`],
  ['mixed encodings', `\ufeffcaf\u00c3\u00a9 \ud800 \u0000 \udfff \u202e abc \ufffd\r\n`.repeat(2_000)],
  [
    'two-byte text read as one-byte',
    Array.from('a table of values\n'.repeat(500), (letter) => `${letter}\u0000`).join(''),
  ],
]

const kinds: readonly Omit<Item, 'text'>[] = [
  { id: 'i', section: 'history', kind: 'tool-result', role: 'tool', toolName: 'bash' },
  { id: 'i', section: 'evidence', kind: 'evidence', provenance: { sourceId: 's' } },
  { id: 'i', section: 'tools', kind: 'tool-schema', toolName: 'bash' },
  { id: 'i', section: 'history', kind: 'tool-call', role: 'assistant', toolName: 'write' },
]
const count = (text: string): number => Math.ceil(text.length / 4)

describe.each(texts)('%s', (_, text) => {
  it.each(kinds)('P-029: as $kind is shown in forms that shrink, the same each time, soon', (kind) => {
    const item: Item = { ...kind, text }
    const prose = { keepRatio: 0.5, minFidelity: 0.5, unhandled: false }
    const make = () =>
      ladderFor(item, {
        count,
        handle: '482915037114',
        prose,
        conversation: { visible: new Set(), age: 30, shares: [0.5] },
      })
    const started = performance.now()
    const rungs = make()
    expect(performance.now() - started).toBeLessThan(20_000)
    expect(rungs[0]?.text).toBe(text)
    const tokens = rungs.map((rung) => rung.tokens)
    expect(tokens).toEqual([...new Set(tokens)].toSorted((a, b) => b - a))
    for (const { text: shown } of rungs.slice(1)) expect(shown.length).toBeLessThan(text.length + 200)
    if (text.length < 1_000_000) expect(make()).toEqual(rungs)
  })
})

it('V-027: what failed stands under ANSI sequences, without them', () => {
  const log = texts.find(([name]) => name.startsWith('a log'))?.[1] ?? ''
  const [, ...rungs] = ladderFor({ ...kinds[0]!, text: log }, { count, handle: '482915037114' })
  expect(rungs.length).toBeGreaterThan(0)
  for (const { rung, text } of rungs) if (rung !== 'pointer') expect(text).toContain('ERROR: it failed')
  expect(rungs.some(({ text }) => !text.includes(escape))).toBe(true)
})
