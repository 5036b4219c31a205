import { describe, expect, it } from 'vitest'
import type { Item } from '../core/index.ts'
import { ladderFor } from './ladder-for.ts'

const count = (text: string): number => Math.ceil(text.length / 4)
const context = { count, handle: '482915037114' }
const conversation = {
  visible: new Set<string>(),
  age: 30,
  lineWorth: 1,
  lowestRung: 'trimmed' as const,
  shares: [0.5, 0.2],
}

const sentence = (at: number): string =>
  `In ${1900 + at} the harbour of Port ${String.fromCharCode(65 + (at % 26))}ern took ${300 + at * 7} ships, ${40 + at} of them from Nordhaven, as Captain Weiss has told the council.`
const denials = [
  'The toll is not raised in winter.',
  'Nobody may moor at the second pier.',
  "Ships of the crown don't pay.",
  'Entry without a pilot is forbidden.',
]
const prose = Array.from({ length: 60 }, (_, at) =>
  at % 15 === 7 ? (denials[(at - 7) / 15] ?? '') : sentence(at),
).join('\n')
const log = Array.from({ length: 80 }, (_, at) =>
  at % 20 === 9
    ? `2026-11-23T10:${at % 60}:00Z INFO worker ${at} did not take the lease`
    : `2026-11-23T10:${String(at % 60).padStart(2, '0')}:00Z INFO request ${at * 7919} stored in ${at} ms by node-${at % 9}`,
).join('\n')

const result = (text: string): Item => ({
  id: 'r',
  section: 'history',
  kind: 'tool-result',
  role: 'tool',
  toolName: 'read',
  text,
})
const found = (text: string): Item => ({
  id: 'e',
  section: 'evidence',
  kind: 'evidence',
  text,
  provenance: { sourceId: 's' },
})

function trimmedOf(item: Item, more: object = {}): readonly string[] {
  return ladderFor(item, { ...context, ...more }).flatMap(({ rung, text }) => (rung === 'trimmed' ? [text] : []))
}

describe('lines that deny', () => {
  it.each([
    ['prose that a tool gave', result(prose), {}],
    ['prose that a tool gave, under pressure', result(prose), { conversation }],
    ['prose that was found', found(prose), {}],
    ['a log', result(log), {}],
    ['a log under pressure', result(log), { conversation }],
  ])('stay on every rung that keeps lines, of %s', (name, item, more) => {
    const shown = trimmedOf(item, more)
    expect(shown.length).toBeGreaterThan(1)
    const wanted = name.includes('log') ? log.split('\n').filter((line) => line.includes('did not')) : denials
    for (const text of shown) for (const line of wanted) expect(text).toContain(line)
  })

  it('at a bounded price: what denies in every line is still shortened, and in code a denial is an operator', () => {
    const all = Array.from(
      { length: 80 },
      (_, at) => `The ${at}th captain did not see the light of pier ${at * 3}, nor did he hear the bell.`,
    )
    const least = trimmedOf(result(all.join('\n'))).at(-1) ?? ''
    expect(count(least)).toBeLessThan(count(all.join('\n')) * 0.35)
    const code = Array.from({ length: 120 }, (_, at) =>
      at % 6 === 0 ? `    if not ready_${at}:` : `    value_${at} = compute_${at}(ready_${at}, other_${at})`,
    )
    const python = `def run(self):\n${code.join('\n')}`
    const kept = trimmedOf(result(python)).at(-1) ?? ''
    expect(code.filter((line) => line.includes('if not') && kept.includes(line)).length).toBeLessThan(15)
  })
})
