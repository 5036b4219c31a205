import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Item, Policy } from '../../core/index.ts'
import { ladderFor } from '../../ladders/index.ts'
import { careful, thrifty } from '../policy/policies.ts'
import { conversationPlanner } from './index.ts'
import type { ConversationPlan } from './index.ts'

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
const count = (text: string): number => Math.ceil(text.length / 4)
const prices = { read: 0.1, write: 1, minTokens: 0, ttlMs: 300_000 }
const offerTokens = 60
const late: Policy = { ...thrifty, epochs: { ...thrifty.epochs, toolFrom: 4_000 } }

const called = (step: number, text: string): readonly Item[] => {
  const own = { section: 'history', toolName: 'bash', toolCallId: `call-${step}` } as const
  return [
    { ...own, id: `c${step}`, kind: 'tool-call', role: 'assistant', text: `{"command":"run ${step}"}` },
    { ...own, id: `r${step}`, kind: 'tool-result', role: 'tool', text },
  ]
}
const said = (text: string): Item => ({ id: 'task', section: 'query', kind: 'text', role: 'user', text })
const listing = (seed: number, lines: number): string =>
  Array.from({ length: lines }, (_, line) => `plain words of listing number ${seed * 1000 + line} and so on`).join('\n')
const sessionOf = (results: readonly string[], task = 'Find it.'): readonly Item[] => [
  said(task),
  ...results.flatMap((text, step) => called(step, text)),
]

/** Each request of a session; the tool stands in it from the one on that says so. */
function played(items: readonly Item[], policy: Policy, isOffered = false): readonly ConversationPlan[] {
  const open = conversationPlanner({ ladders: ladderFor, itemTokens: (_, text) => count(text), hash })
  const plans: ConversationPlan[] = []
  let offered = isOffered
  for (let end = 1; end <= items.length; end += 2) {
    const own = items.slice(0, end)
    const plan = open({
      items: own,
      tokens: own.map(({ text }) => count(text)),
      overheadTokens: offered ? offerTokens : 0,
      ownTokens: offered ? offerTokens : 0,
      ...(!offered && { offerTokens }),
      policy,
      prices,
      handleKey: 'key',
      rehydration: true,
      ledger: plans.at(-1)?.ledger,
    }).plan({ limitTokens: 1_000_000 })
    offered ||= plan.offers
    plans.push(plan)
  }
  return plans
}

const offering = (plans: readonly ConversationPlan[]): number => plans.findIndex(({ offers }) => offers)
const hiding = (plans: readonly ConversationPlan[]): number =>
  plans.findIndex(({ renditions }) => renditions.some(({ rung }) => rung !== 'full' && rung !== 'lossless'))
const long = sessionOf(Array.from({ length: 60 }, (_, step) => listing(step, 25)))

describe('the tool that follows handles', () => {
  it('comes with the first form that needs it, and is paid for with the whole request', () => {
    const plans = played(long, late)
    const first = offering(plans)
    expect(first).toBeGreaterThan(1)
    expect(first).toBe(hiding(plans))
    const [before, then] = [plans[first - 1]!.ledger, plans[first]!.ledger]
    const sent = plans[first]!.renditions.reduce((sum, { tokens }) => sum + tokens + 4, offerTokens)
    expect(then.account.actual - before.account.actual).toBeCloseTo(sent, 6)
    expect(then.marks).toEqual([{ items: plans[first]!.renditions.length }])
    expect(plans.filter(({ offers }) => offers)).toHaveLength(1)
  })

  it('comes only when the session can bear it: it never costs more than sending everything', () => {
    const withoutLoans = (policy: Policy): Policy => {
      const { compaction } = policy.epochs
      const lent = { loanShare: 0, debtShare: 0, ...(compaction && { compaction: { ...compaction, loanShare: 0 } }) }
      return { ...policy, epochs: { ...policy.epochs, ...lent } }
    }
    for (const policy of [withoutLoans(careful), withoutLoans(late)])
      for (const { ledger } of played(long, policy))
        expect(ledger.account.actual).toBeLessThanOrEqual(ledger.account.passThrough + 1e-6)
  })

  it('never comes where nothing can be hidden: such a session costs what sending everything costs', () => {
    const plans = played(sessionOf(Array.from({ length: 30 }, (_, step) => `said ${step}`)), careful)
    expect(offering(plans)).toBe(-1)
    for (const { ledger } of plans) expect(ledger.account.actual).toBeCloseTo(ledger.account.passThrough, 6)
  })

  it('stands in the first request where that is long, or where the policy wants it so', () => {
    expect(offering(played(sessionOf(['one', 'two'], listing(1, 400)), careful))).toBe(0)
    expect(offering(played(sessionOf(['one', 'two']), thrifty))).toBe(0)
    expect(offering(played(sessionOf(['one', 'two']), careful))).toBe(-1)
  })

  it('is not named by references to lines that stand before it comes, and is afterwards', () => {
    const [body, other] = [listing(1, 40), listing(2, 40)]
    const twice = sessionOf([body, `first\n${other}`, `second\n${body}\nmore\n${listing(3, 30)}`])
    const before = played(twice, careful).at(-1)!
    expect(before.offers).toBe(false)
    expect(before.renditions.at(-1)?.text).toMatch(/\[repeats lines 2-40 of step 1, 2 before this\]/)
    const after = played(twice, careful, true).at(-1)!
    expect(after.renditions.at(-1)?.text).toMatch(/as in step 1, 2 before this: rehydrate\("\d{12}", "3-41"\)\]/)
    expect(before.renditions.at(-1)?.tokens).toBeLessThan(after.renditions.at(-1)!.tokens)
  })

  it('comes with what goes for want of room, and room is kept for it', () => {
    const open = conversationPlanner({ ladders: ladderFor, itemTokens: (_, text) => count(text), hash })
    const items = sessionOf(Array.from({ length: 12 }, (_, step) => listing(step, 60)))
    const tokens = items.map(({ text }) => count(text))
    const limitTokens = 5_000
    const plan = open({
      items,
      tokens,
      overheadTokens: 0,
      offerTokens,
      policy: { ...careful, epochs: { ...careful.epochs, toolFrom: 100_000 } },
      prices,
      handleKey: 'key',
      rehydration: true,
    }).plan({ limitTokens })
    expect(plan.offers).toBe(true)
    expect(plan.fits).toBe(true)
    expect(plan.renditions.reduce((sum, shown) => sum + shown.tokens, offerTokens)).toBeLessThanOrEqual(limitTokens)
  })
})
