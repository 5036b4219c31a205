import { describe, expect, it } from 'vitest'
import type { Item, Layout } from '../core/index.ts'
import { input, itemOf, sha256 } from './compile-input.fixture.ts'
import { createCompiler } from './create-compiler.ts'
import { careful } from './policy/policies.ts'

const nested = `${'[{"a":'.repeat(5_000)}1${'}]'.repeat(5_000)}`
const row = (first: string): string => Array.from({ length: 10_000 }, (_, at) => `${first}${at}`).join(',')
const escape = '\u001b'
const texts: readonly (readonly [name: string, text: string])[] = [
  ['JSON of 10,000 levels', nested],
  ['5 MB on one line', 'lorem ipsum dolor '.repeat(290_000)],
  ['a table of 10,000 columns', [row('name'), row('1'), row('2')].join('\n')],
  ['a log of ANSI sequences', `${`${escape}[31m${escape}[2J`.repeat(200)}ERROR: it failed\n`.repeat(200)],
  ['mixed encodings', `\ufeffcaf\u00c3\u00a9 \ud800 \u0000 \udfff \u202e abc \ufffd\r\n`.repeat(2_000)],
]

describe.each<Layout>(['messages', 'payload'])('what comes from a tool that has gone wrong, in %s', (layout) => {
  it.each(texts)('%s: is packed the same each time, and in a small window shown short with a handle', (_, text) => {
    const call = { section: 'history', toolName: 'bash', toolCallId: 'x', group: 'x' }
    const items: readonly Item[] = [
      itemOf('history', 'u', 'go', { role: 'user' }),
      { ...call, id: 'c', kind: 'tool-call', role: 'assistant', text: '{}' },
      { ...call, id: 'r', kind: 'tool-result', role: 'tool', text },
      itemOf('history', 'a', 'I have read it.', { role: 'assistant' }),
      ...['y', 'z'].flatMap((id): readonly Item[] => [
        { ...call, toolCallId: id, group: id, id: `c${id}`, kind: 'tool-call', role: 'assistant', text: '{}' },
        { ...call, toolCallId: id, group: id, id: `r${id}`, kind: 'tool-result', role: 'tool', text: `done ${id}` },
        itemOf('history', `a${id}`, 'Good.', { role: 'assistant' }),
      ]),
      itemOf('history', 'next', 'And now?', { role: 'user' }),
    ]
    const tokenizer = { id: 'quarters', count: (words: string): number => Math.ceil(words.length / 4) }
    const given = {
      items,
      layout,
      policy: careful,
      rehydration: true,
      handleKey: 'key',
      budget: { windowTokens: 1_000 },
    }
    const packed = () => createCompiler({ tokenizer, hash: sha256 }).compile(input(given))
    const result = packed()
    expect(result.outcome.kind).toBe('ok')
    const decision = result.manifest.decisions.find(({ itemId }) => itemId === 'r')
    expect(['trimmed', 'summary', 'line', 'pointer', 'omitted']).toContain(decision?.rung)
    if (decision?.rung !== 'omitted') expect(decision?.handle).toMatch(/^\d{12}$/)
    expect(packed()).toEqual(result)
  })
})
