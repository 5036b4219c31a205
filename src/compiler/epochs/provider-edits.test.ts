import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Item } from '../../core/index.ts'
import { ladderFor } from '../../ladders/index.ts'
import { careful } from '../policy/policies.ts'
import { conversationPlanner } from './index.ts'
import type { ConversationPlan } from './index.ts'
import type { ConversationInput } from './plan-context.ts'
import { clearedResults, turnsUntilEdited } from './provider-edits.ts'

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
const count = (text: string): number => Math.ceil(text.length / 4)
const open = conversationPlanner({ ladders: ladderFor, itemTokens: (_, text) => count(text), hash })

const lines = (step: number): string =>
  Array.from({ length: 25 }, (_, line) => `plain words of listing number ${step * 1000 + line} and so on`).join('\n')

/** An agent that reads one listing after another. */
const session: readonly Item[] = Array.from({ length: 60 }, (_, step): readonly Item[] => {
  const call = { section: 'history', toolName: 'bash', toolCallId: `call-${step}` } as const
  return [
    { ...call, id: `c${step}`, kind: 'tool-call', role: 'assistant', text: `{"command":"run ${step}"}` },
    { ...call, id: `r${step}`, kind: 'tool-result', role: 'tool', text: lines(step) },
  ]
}).flat()

/** Its requests, one after each result; the provider is asked to edit from the request with that index on. */
function run(editing: ConversationInput['editing'], since = 0): readonly ConversationPlan[] {
  const plans: ConversationPlan[] = []
  for (let end = 2; end <= session.length; end += 2) {
    const items = session.slice(0, end)
    const plan = open({
      items,
      tokens: items.map(({ text }) => count(text)),
      overheadTokens: 0,
      policy: { ...careful, epochs: { ...careful.epochs, loanShare: 0.1 } },
      prices: { read: 0.1, write: 1.25, minTokens: 0, ttlMs: 300_000 },
      handleKey: 'key',
      rehydration: true,
      ledger: plans.at(-1)?.ledger,
      editing: plans.length < since ? undefined : editing,
    }).plan({ limitTokens: 1_000_000 })
    plans.push(plan)
  }
  return plans
}

const sizeOf = ({ renditions }: ConversationPlan): number => renditions.reduce((sum, { tokens }) => sum + tokens, 0)

const begun = (plans: readonly ConversationPlan[]): readonly number[] =>
  plans.flatMap(({ epoch }, index) => (epoch.decision === 'begin' ? [index] : []))

describe('what the provider edits by itself has its price in the plan', () => {
  it('what is saved is saved until then only: an epoch shortly before does not begin', () => {
    const free = run(undefined)
    const [first] = begun(free)
    expect(first).toBeGreaterThan(0)
    const soon = sizeOf(free[first! - 1]!) + 600
    for (const editing of [{ compactsAboveTokens: soon }, { clears: { aboveTokens: soon, keep: 3 } }]) {
      const plan = run(editing, first)[first!]!
      expect(plan.epoch.expectedTurns).toBeLessThanOrEqual(2)
      expect(plan.epoch.decision).toBe('hold')
    }
    // Far away it changes nothing.
    expect(begun(run({ compactsAboveTokens: 900_000 }))[0]).toBe(first)
  })

  it('results that it clears anyway are not shortened, those that it spares are', () => {
    const above = 2000
    const cleared = run({ clears: { aboveTokens: above, keep: 3 } })
    expect(begun(cleared)).toEqual([])
    expect(sizeOf(cleared.at(-1)!)).toBeGreaterThan(above)
    const spared = run({ clears: { aboveTokens: above, keep: 3, sparedTools: ['bash'] } })
    expect(begun(spared).length).toBeGreaterThan(0)
  })

  it('clears all but the newest results, in requests above its limit', () => {
    const editing = { clears: { aboveTokens: 500, keep: 2, sparedTools: ['memory'] } }
    const items = session.slice(0, 10).map((item, index) => (index < 2 ? { ...item, toolName: 'memory' } : item))
    expect([...clearedResults({ items, totalTokens: 501, editing })]).toEqual([3, 5])
    expect(clearedResults({ items, totalTokens: 500, editing }).size).toBe(0)
    expect(clearedResults({ items, totalTokens: 501, editing: { compactsAboveTokens: 1 } }).size).toBe(0)
  })

  it('comes after as many requests as the conversation takes to grow there', () => {
    const clears = { aboveTokens: 10_000, keep: 3 }
    expect(turnsUntilEdited(5000, 9, { clears })).toBe(10)
    expect(turnsUntilEdited(5000, 9, { clears, compactsAboveTokens: 6000 })).toBe(2)
    expect(turnsUntilEdited(5000, 9, undefined)).toBe(Infinity)
    expect(turnsUntilEdited(12_000, 9, { clears })).toBe(Infinity)
  })
})
