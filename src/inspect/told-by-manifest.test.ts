import { expect, it } from 'vitest'
import type { EpochRecord, Manifest, ManifestDecision, Rung } from '../core/index.ts'
import { beganBy, briefOf } from './told-by-manifest.ts'
import type { TraceRequest } from './trace.ts'

const decision = (itemId: string, rung: Rung): ManifestDecision => ({
  itemId,
  section: 'history',
  contentHash: itemId,
  rung,
  reason: 'economy',
  originalTokens: 10,
  tokens: 1,
})

/** A request with one message of one item for each rung. */
function briefWith(...rungs: readonly Rung[]) {
  const ids = rungs.map((_, index) => `i${index}`)
  const messages = ids.map((id) => ({
    id: `message of ${id}`,
    role: 'user' as const,
    items: [{ id, section: 'history' as const, kind: 'text' as const, text: id }],
  }))
  const request: TraceRequest = { messages, atMs: 0 }
  const decisions = rungs.map((rung, index) => decision(`i${index}`, rung))
  const entries = new Map(ids.map((id) => [id, { text: `shown for ${id}` }]))
  const brief = briefOf(request, { decisions } as unknown as Manifest, entries)
  return brief && { messages: [...brief.messages], text: brief.text }
}

it('compacted are the items that a summary stands for, with the one that shows it', () => {
  expect(briefWith('full', 'summary', 'omitted', 'omitted', 'full')).toEqual({
    messages: ['message of i1', 'message of i2', 'message of i3'],
    text: 'shown for i1',
  })
  expect(briefWith('omitted', 'full')).toEqual({ messages: ['message of i0'], text: '' })
})

it('a summary of one item alone compacts nothing', () => {
  expect(briefWith('full', 'summary', 'full', 'line')).toBeUndefined()
})

it('an epoch is warm where it pays for what it writes anew, cold where the cache held nothing of use', () => {
  const began = (decided: EpochRecord['decision'], cause: EpochRecord['cause']) =>
    beganBy({ epoch: { decision: decided, cause } } as unknown as Manifest)
  expect(began('begin', 'gain')).toBe('warm')
  expect(began('begin', 'pressure')).toBe('warm')
  expect(began('begin', 'cold-cache')).toBe('cold')
  expect(began('begin', 'history-changed')).toBe('cold')
  expect(began('hold', 'no-gain')).toBeUndefined()
})
