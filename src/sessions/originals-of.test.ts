import { expect, it } from 'vitest'
import type { Item, Manifest, SummaryRecord } from '../core/index.ts'
import { originalsOf } from './originals-of.ts'

const called = (step: number): readonly Item[] => {
  const both = { section: 'history', toolName: 'bash', toolCallId: `c${step}` } as const
  return [
    { ...both, id: `call${step}`, kind: 'tool-call', role: 'assistant', text: `{"command":"run ${step}"}` },
    { ...both, id: `result${step}`, kind: 'tool-result', role: 'tool', text: `ran ${step}` },
  ]
}

it('what the handle of a brief brings back has the numbers of its steps, by which the brief names them', () => {
  const items = [1, 2, 3].flatMap(called)
  const itemIds = ['result1', 'call2', 'result2', 'call3', 'result3']
  const summaries = [{ handle: '482915037114', itemIds } as unknown as SummaryRecord]
  const decisions = itemIds.map(
    (itemId) => ({ itemId, handle: '482915037114' }) as unknown as Manifest['decisions'][number],
  )
  const [original] = originalsOf(items, { decisions, summaries })
  expect(original?.text).toBe(
    [
      '[step 1] result:\nran 1',
      '[step 2] call of bash:\n{"command":"run 2"}',
      '[step 2] result:\nran 2',
      '[step 3] call of bash:\n{"command":"run 3"}',
      '[step 3] result:\nran 3',
    ].join('\n\n'),
  )
})

it('says where an image stood among what was left out, since it does not come back', () => {
  const image: Item = { id: 'shot', section: 'history', kind: 'media', role: 'tool', text: '', toolCallId: 'c2' }
  const itemIds = ['result1', 'call2', 'result2', 'shot']
  const summaries = [{ handle: '482915037114', itemIds } as unknown as SummaryRecord]
  const [original] = originalsOf([...called(1), ...called(2), image], { decisions: [], summaries })
  expect(original?.text).toMatch(/ran 2\n\n\[image, not kept: call its tool again\]$/)
})
