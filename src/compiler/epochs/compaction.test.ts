import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CompactionPolicy, ConversationLedger, Item, Policy } from '../../core/index.ts'
import { ladderFor } from '../../ladders/index.ts'
import { careful } from '../policy/policies.ts'
import { conversationPlanner, ledgerUpTo } from './index.ts'
import type { ConversationPlan } from './index.ts'
import type { ConversationInput } from './plan-context.ts'

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
const count = (text: string): number => Math.ceil(text.length / 4)
const itemTokens = (_: Item, text: string): number => count(text)
const open = conversationPlanner({ ladders: ladderFor, itemTokens, hash })
const prices = { read: 0.1, write: 1, minTokens: 0, ttlMs: 300_000 }

const compaction: CompactionPolicy = {
  patience: 0.5,
  newestSteps: 5,
  newestTokens: 1_000,
  views: 2_000,
  viewSteps: 60,
  tasks: 500,
  outlines: 500,
  lines: 500,
  loanShare: 0.08,
}
/** Nothing is trimmed, so that what is left to save is old steps. */
const policyWith = (changes: Partial<CompactionPolicy> = {}): Policy => ({
  ...careful,
  epochs: { ...careful.epochs, patience: 1_000_000, compaction: { ...compaction, ...changes } },
})

type Request = Partial<Omit<ConversationInput, 'items'>> & { readonly limitTokens?: number }

function ask(items: readonly Item[], { limitTokens = 1_000_000, ...request }: Request): ConversationPlan {
  return open({
    items,
    tokens: items.map((item) => count(item.text)),
    overheadTokens: 500,
    policy: policyWith(),
    prices,
    handleKey: 'key',
    rehydration: true,
    ...request,
  }).plan({ limitTokens })
}

interface Step {
  /** Characters of what each call brought back; of a reply without calls none. */
  readonly results: readonly number[]
  /** What the user says before it. */
  readonly asked?: string | undefined
}

function conversation(steps: readonly Step[]): readonly Item[] {
  const items: Item[] = [
    { id: 'task', section: 'history', kind: 'text', role: 'user', text: 'Find out why the build fails.' },
  ]
  for (const [step, { results, asked }] of steps.entries()) {
    if (asked !== undefined) items.push({ id: `u${step}`, section: 'history', kind: 'text', role: 'user', text: asked })
    if (results.length === 0)
      items.push({ id: `a${step}`, section: 'history', kind: 'text', role: 'assistant', text: `I think of ${step}.` })
    const ids = results.map((_, at) => `call-${step}-${at}`)
    for (const toolCallId of ids) {
      const text = JSON.stringify({ command: `run ${toolCallId}` })
      const call = { section: 'history', kind: 'tool-call', role: 'assistant', text, toolName: 'bash' } as const
      items.push({ ...call, id: `c-${toolCallId}`, toolCallId })
    }
    for (const [at, toolCallId] of ids.entries()) {
      const lines = Array.from(
        { length: Math.ceil((results[at] ?? 0) / 40) },
        (_, line) => `plain words ${step} ${at} ${line} of a listing`,
      )
      const result = {
        section: 'history',
        kind: 'tool-result',
        role: 'tool',
        text: lines.join('\n'),
        toolName: 'bash',
      } as const
      items.push({ ...result, id: `r-${toolCallId}`, toolCallId })
    }
  }
  return items
}

const plain = (steps: number, size = 3_000): readonly Step[] =>
  Array.from({ length: steps }, () => ({ results: [size] }))

/** The requests of a session: one before each reply. */
function run(
  items: readonly Item[],
  request: Request = {},
  every?: (step: number) => Request,
): readonly ConversationPlan[] {
  const plans: ConversationPlan[] = []
  for (const [at, item] of items.entries()) {
    const next = items[at + 1]
    if (item.role === 'assistant' || (next !== undefined && next.role !== 'assistant')) continue
    const own = every?.(plans.length) ?? {}
    plans.push(ask(items.slice(0, at + 1), { ...request, ...own, ledger: plans.at(-1)?.ledger }))
  }
  return plans
}

const isBrief = ({ rung, text }: { readonly rung: string; readonly text: string }): boolean =>
  rung === 'summary' && text.startsWith('[Steps ')
const compactions = (plans: readonly ConversationPlan[]): readonly ConversationPlan[] =>
  plans.filter(({ epoch }) => epoch.decision === 'begin' && epoch.cause === 'compacted')
const tokensOf = (plan: ConversationPlan): number => plan.renditions.reduce((sum, { tokens }) => sum + tokens, 0)

describe('a compaction', () => {
  const items = conversation(plain(80))
  const plans = run(items)

  it('never comes where the policy has none', () => {
    expect(compactions(run(items, { policy: careful }))).toEqual([])
  })

  it('puts one brief in the place of the old steps, with one handle for all of them', () => {
    expect(compactions(plans).length).toBeGreaterThan(0)
    const { renditions } = compactions(plans)[0]!
    const briefs = renditions.filter(isBrief)
    expect(briefs).toHaveLength(1)
    const gone = renditions.filter(({ rung }) => rung === 'omitted')
    expect(gone.length).toBeGreaterThan(20)
    expect(new Set(gone.map(({ handle }) => handle))).toEqual(new Set([briefs[0]!.handle]))
    expect(briefs[0]!.text).toContain(`rehydrate("${briefs[0]!.handle}"`)
  })

  it('leaves the newest steps and tokens whole', () => {
    for (const { renditions } of compactions(plans)) {
      const last = renditions.findLastIndex(({ rung }) => rung === 'omitted')
      const standing = renditions.slice(last + 1)
      expect(standing.length).toBeGreaterThanOrEqual(2 * compaction.newestSteps)
      expect(standing.reduce((sum, { tokens }) => sum + tokens, 0)).toBeGreaterThanOrEqual(compaction.newestTokens)
    }
  })

  it('stays byte for byte until the next', () => {
    for (const [at, plan] of plans.entries()) {
      const before = plans[at - 1]
      if (before === undefined || plan.epoch.decision === 'begin') continue
      expect(plan.renditions.slice(0, before.renditions.length).map(({ text }) => text)).toEqual(
        before.renditions.map(({ text }) => text),
      )
    }
  })

  it('takes the place of the brief before it', () => {
    expect(compactions(plans).length).toBeGreaterThan(1)
    for (const { renditions } of plans) expect(renditions.filter(isBrief).length).toBeLessThanOrEqual(1)
  })

  it('costs less than sending everything, and comes seldom', () => {
    const { passThrough, actual } = plans.at(-1)!.ledger.account
    expect(actual).toBeLessThan(0.6 * passThrough)
    expect(compactions(plans).length).toBeLessThanOrEqual(8)
  })

  it('comes sooner with more patience spent on rent', () => {
    const first = (patience: number): number =>
      run(items, { policy: policyWith({ patience }) }).findIndex(({ epoch }) => epoch.cause === 'compacted')
    expect(first(1)).toBeLessThan(first(0.1))
  })

  it('waits for credit where nothing may be lent', () => {
    expect(compactions(run(items, { policy: policyWith({ loanShare: 0 }) }))).toEqual([])
    expect(compactions(run(items, { tenantCredit: 0 }))).toEqual([])
  })

  it('counts the tool that follows handles, where it comes in with the brief, as an epoch does', () => {
    const begun = run(conversation(plain(24)), { policy: policyWith({ patience: 1e-9 }) }).at(-1)!
    const rentWith = (offerTokens?: number): number =>
      ask(conversation(plain(25)), { policy: policyWith({ patience: 1e-9 }), ledger: begun.ledger, offerTokens }).ledger
        .rent!
    expect(rentWith()).toBeGreaterThan(begun.ledger.rent! + prices.read * 400)
    expect(rentWith(400)).toBeCloseTo(rentWith() - prices.read * 400, 6)
  })

  it('comes at once where the cache is cold', () => {
    const cold = run(items, { policy: policyWith({ patience: 0.001 }) }, (step) => ({
      nowMs: step < 40 ? step * 1_000 : 10_000_000 + step * 1_000,
    }))
    expect(cold.findIndex(({ epoch }) => epoch.cause === 'compacted')).toBe(40)
  })

  it('does not come where nothing can be asked for again', () => {
    expect(compactions(run(items, { rehydration: false }))).toEqual([])
  })
})

describe('a conversation that goes another way', () => {
  const items = conversation(plain(80))
  const last = run(items).findLast(({ ledger: { compacted, rent = 0 } }) => compacted?.count === 2 && rent > 0)!
  const gone = last.renditions.findLastIndex(({ rung }) => rung === 'omitted')
  /** After the first so many items the user says something else; of a branch, the ledger ends there. */
  const counted = (most: number, isBranch: boolean, known: Partial<ConversationLedger> = {}) => {
    const other = { id: 'other', section: 'history', kind: 'text', role: 'user', text: 'Do something else.' } as const
    const ledger = { ...last.ledger, ...known }
    const { compacted, rent = 0 } = ask([...items.slice(0, most), other], {
      policy: policyWith({ patience: 0 }),
      ledger: isBranch ? ledgerUpTo(ledger, most) : ledger,
    }).ledger
    return { compactions: compacted?.count ?? 0, rent }
  }
  const unknown = { rent: 0, compacted: { count: 0 } }

  it.each([true, false])('before its brief ends has neither its count nor its rent (a branch: %s)', (isBranch) => {
    const most = Math.floor(gone / 4) * 2 + 1
    expect(counted(most, isBranch)).toEqual(counted(most, isBranch, unknown))
  })

  it.each([true, false])(
    'behind its brief has its count, and the rent of what it still has (a branch: %s)',
    (isBranch) => {
      const { compactions: times, rent } = counted(gone + 3, isBranch)
      const { rent: ownRent } = counted(gone + 3, isBranch, unknown)
      expect(times).toBe(2)
      expect(rent - ownRent).toBeGreaterThan(0)
      expect(rent - ownRent).toBeLessThan(last.ledger.rent!)
    },
  )
})

describe('where the window is full', () => {
  it.each([16_000, 32_000, 64_000])('old steps are compacted until a request fits into %i tokens', (limitTokens) => {
    const policy = policyWith({ patience: 0.001 })
    const plans = run(conversation(plain(120, 6_000)), { policy, limitTokens })
    for (const plan of plans) expect([plan.fits, tokensOf(plan) <= limitTokens]).toEqual([true, true])
    expect(compactions(plans).length).toBeGreaterThan(0)
  })

  it.each([4_000, 8_000, 16_000])('every failure is stated in each request of %i tokens', (limitTokens) => {
    const failed = (at: number): string => `AssertionError: harbour ${at} is closed`
    const isFailure = ({ id }: Item): boolean => /^r-call-\d*[47]-0$/.test(id)
    const sizes = [12_000, 400, 3_000, 9_000, 200, 30_000, 100]
    const items = conversation(
      Array.from({ length: 60 }, (_, at) => ({
        results: [sizes[at % sizes.length]!],
        asked: at % 9 === 4 ? 'Go on.' : undefined,
      })),
    ).map((item, at) =>
      isFailure(item) ? { ...item, text: `${item.text}\n${failed(at)}\n`, status: 'error' as const } : item,
    )
    // Briefs that would fill the whole window by their budgets.
    const policy = policyWith({ views: 20_000, lines: 20_000 })
    for (const { renditions, fits } of run(items, { policy, limitTokens })) {
      expect(fits).toBe(true)
      const shown = renditions.map(({ text }) => text).join('\n')
      const stated = items.flatMap((item, at) => (at < renditions.length && isFailure(item) ? [failed(at)] : []))
      expect(stated.filter((line) => !shown.includes(line))).toEqual([])
    }
  })
})

describe('properties of compactions', () => {
  const step = fc.record({
    results: fc.array(fc.integer({ min: 20, max: 8_000 }), { maxLength: 3 }),
    asked: fc.option(fc.constantFrom('Go on.', 'Now the tests, please.', 'Never touch dist/.'), {
      nil: undefined,
      freq: 6,
    }),
  })
  const cases = fc.record({
    steps: fc.array(step, { minLength: 10, maxLength: 60 }),
    patience: fc.constantFrom(0.1, 0.5, 1, 5),
    loanShare: fc.constantFrom(0, 0.03, 0.08, 0.2),
    limitTokens: fc.constantFrom(8_000, 30_000, 1_000_000),
  })

  it('no pair is split, no word of the user and nothing unread goes, and debt has its bound', () => {
    fc.assert(
      fc.property(cases, ({ steps, patience, loanShare, limitTokens }) => {
        const items = conversation(steps)
        for (const plan of run(items, { policy: policyWith({ patience, loanShare }), limitTokens })) {
          const isGone = (index: number): boolean => plan.renditions[index]?.rung === 'omitted'
          const shownIds = (kind: Item['kind']): ReadonlySet<string | undefined> =>
            new Set(
              items.flatMap((item, index) =>
                item.kind === kind && plan.renditions[index] !== undefined && !isGone(index) ? [item.toolCallId] : [],
              ),
            )
          const carried = plan.renditions.flatMap(({ rung, handle }) => (rung === 'summary' ? [handle] : []))
          for (const { rung, handle } of plan.renditions) if (rung === 'omitted') expect(carried).toContain(handle)
          const [calls, results] = [shownIds('tool-call'), shownIds('tool-result')]
          for (const id of results) expect(calls.has(id)).toBe(true)
          const read = items.slice(0, plan.renditions.length).findLastIndex(({ role }) => role === 'assistant')
          for (const [index, item] of items.slice(0, plan.renditions.length).entries()) {
            if (item.role === 'user' && item.kind === 'text') expect(plan.renditions[index]?.text).toBe(item.text)
            if (item.kind === 'tool-call' && !isGone(index)) expect(results.has(item.toolCallId)).toBe(true)
            if (index > read) expect(isGone(index)).toBe(false)
          }
          const { passThrough, actual } = plan.ledger.account
          if (limitTokens === 1_000_000)
            expect(actual).toBeLessThanOrEqual((1 + Math.max(loanShare, 0.03)) * passThrough + 1)
        }
      }),
      { numRuns: 40 },
    )
  })
})
