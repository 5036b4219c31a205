import { describe, expect, it } from 'vitest'
import type { Item } from '../../core/index.ts'
import { sha256, wordTokenizer, words } from '../compile-input.fixture.ts'
import { ladderFor } from '../../ladders/index.ts'
import { careful } from '../policy/policies.ts'
import { conversationPlanner } from './index.ts'
import type { ConversationPlan } from './index.ts'
import type { ConversationInput } from './plan-context.ts'
import { uncompacted } from './uncompacted.fixture.ts'

const itemTokens = (_: Item, text: string): number => wordTokenizer.count(text)
const open = conversationPlanner({ ladders: ladderFor, itemTokens, hash: sha256 })

function plan(
  items: readonly Item[],
  { limitTokens = 10_000, ...changes }: Partial<ConversationInput> & { readonly limitTokens?: number } = {},
): ConversationPlan {
  return open({
    items,
    tokens: items.map(({ text }) => wordTokenizer.count(text)),
    overheadTokens: 0,
    policy: uncompacted(careful),
    prices: { read: 0.1, write: 1, minTokens: 0, ttlMs: 300_000 },
    handleKey: 'key',
    rehydration: false,
    ...changes,
  }).plan({ limitTokens })
}

const steps = (count: number): readonly Item[] =>
  Array.from({ length: count }, (_, at): readonly Item[] => [
    { id: `c${at}`, section: 'history', kind: 'tool-call', role: 'assistant', text: '{}', toolCallId: `${at}` },
    {
      id: `r${at}`,
      section: 'history',
      kind: 'tool-result',
      role: 'tool',
      text: words(900, `r${at}`),
      toolCallId: `${at}`,
    },
  ]).flat()

const shortened = ({ renditions }: ConversationPlan): number =>
  renditions.filter(({ rung }) => rung !== 'full' && rung !== 'lossless').length

describe('what a full window has shortened', () => {
  const full = plan(steps(20))

  it('is shown whole again where no tool follows handles, once all of it fits', () => {
    expect(shortened(full)).toBeGreaterThan(10)
    const again = plan(steps(5), { ledger: full.ledger })
    expect(shortened(again)).toBe(0)
    expect(again.epoch.decision).toBe('begin')
    const next = plan(steps(6), { ledger: again.ledger })
    expect(next.epoch.decision).not.toBe('begin')
  })

  it('is shown whole again for a model with a larger window', () => {
    expect(shortened(plan(steps(20), { ledger: full.ledger, limitTokens: 100_000 }))).toBe(0)
  })

  it('stays short while what came would nearly fill the window', () => {
    expect(shortened(plan(steps(10), { ledger: full.ledger }))).toBeGreaterThan(0)
  })

  it('is shown whole again where it is unread again, and stays short behind a handle where it is not', () => {
    const handled = plan(steps(20), { rehydration: true })
    const before = shortened(handled)
    const { renditions } = plan(steps(5), { rehydration: true, ledger: handled.ledger })
    expect(before).toBeGreaterThan(10)
    expect(renditions.at(-1)?.rung).toBe('full')
    expect(renditions.slice(0, -1).filter(({ rung }) => rung !== 'full' && rung !== 'lossless').length).toBeGreaterThan(
      0,
    )
  })
})
