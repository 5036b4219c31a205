import { describe, expect, it } from 'vitest'
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

describe('an image among what was left out', () => {
  const image: Item = { id: 'shot', section: 'history', kind: 'media', role: 'tool', text: '', toolCallId: 'c2' }
  const items = [...called(1), ...called(2), image]
  const media = [{ itemId: 'shot', handle: '111122223333' }]
  const itemIds = ['result1', 'call2', 'result2', 'shot']
  const summaries = [{ handle: '482915037114', itemIds, media } as unknown as SummaryRecord]

  it('has a handle of its own, which the handle of the run names', () => {
    const mediaUrl = (id: string) => `data:image/png;base64,${id}`
    const [run, ...others] = originalsOf(items, { decisions: [], summaries }, { mediaUrl })
    expect(run?.text).toMatch(/ran 2\n\n\[image: rehydrate\("111122223333"\) shows it\]$/)
    expect(others).toEqual([
      { handle: '111122223333', kind: 'media', reason: 'summarised', text: 'data:image/png;base64,shot' },
    ])
  })

  it('is said to be gone where its bytes are not at hand', () => {
    const originals = originalsOf(items, { decisions: [], summaries })
    expect(originals).toHaveLength(1)
    expect(originals[0]?.text).toMatch(/ran 2\n\n\[image, not kept: call its tool again\]$/)
  })
})
