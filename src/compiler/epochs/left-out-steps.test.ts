import { expect, it } from 'vitest'
import type { Item } from '../../core/index.ts'
import { sha256, wordTokenizer } from '../compile-input.fixture.ts'
import { ladderFor } from '../../ladders/index.ts'
import { careful } from '../policy/policies.ts'
import { conversationPlanner } from './index.ts'

const ran = (step: number, command: string, output: string): readonly Item[] => {
  const own = { section: 'history', toolName: 'bash', toolCallId: `c${step}` } as const
  return [
    { ...own, id: `call${step}`, kind: 'tool-call', role: 'assistant', text: JSON.stringify({ command }) },
    { ...own, id: `result${step}`, kind: 'tool-result', role: 'tool', text: output },
  ]
}

const others: Readonly<Record<number, readonly [string, string]>> = {
  5: [
    'npm test',
    'npm ERR! Test failed.\nnpm ERR! code ELIFECYCLE\nTypeError: tax is not a function\n    at total (src/tax.ts:4:9)',
  ],
  6: [
    'cat notes.md',
    Array.from({ length: 9 }, (_, line) => `Note ${line}: error: old numbers in the report`).join('\n'),
  ],
}

it('a note on steps left out names failures as a brief does: by their statement, and none that a file only quotes', () => {
  const task: Item = { id: 'task', section: 'history', kind: 'text', role: 'user', text: 'Find why the tax is wrong.' }
  const items = [
    task,
    ...Array.from({ length: 120 }, (_, step) =>
      ran(step, ...(others[step] ?? [`run part ${step}`, `part ${step} is fine`])),
    ).flat(),
  ]
  const tokens = items.map(({ text }) => wordTokenizer.count(text))
  const { renditions, fits } = conversationPlanner({
    ladders: ladderFor,
    itemTokens: (_, text) => wordTokenizer.count(text),
    hash: sha256,
  })({
    items,
    tokens,
    overheadTokens: 0,
    policy: careful,
    prices: { read: 0.1, write: 1, minTokens: 0, ttlMs: 300_000 },
    handleKey: 'key',
    rehydration: true,
  }).plan({ limitTokens: 500 })
  const note = renditions.find(({ text }) => text.startsWith('[Steps '))?.text ?? ''
  expect(fits).toBe(true)
  expect(note).toContain('Failed in step 6: TypeError: tax is not a function')
  expect(note).not.toContain('old numbers')
})
