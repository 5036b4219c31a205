import type { DialectTable } from '../../codecs/index.ts'
import type { CompileExtras } from '../../sessions/index.ts'
import {
  conversationTrace,
  countingOf,
  modelRules,
  parseTrace,
  passThrough,
  policyStrategies,
  replayTrace,
  scaledFigures,
  strategyReport,
  tracedRules,
  withFoundNeedles,
} from '../../inspect/index.ts'
import type { BillingRules, SessionFigures, SessionPair, Strategy, Trace } from '../../inspect/index.ts'
import type { ReplayNews, ReplayStart, ReplayedBill, ReplayedFigures, ReplayedRequest } from './replay-messages.ts'

/** What a replay works with: dialects, and what extensions add to a compile. */
export interface ReplayWork extends ReplayStart {
  readonly dialects: DialectTable
  readonly extras: CompileExtras
}

/** A conversation to be sent again, and what its requests are called. */
interface ReplayedTrace {
  readonly session: string
  readonly lane: string
  readonly requestIds: readonly string[]
  readonly trace: Trace
}

export interface Recorded {
  readonly requests: readonly ReplayedRequest[]
  readonly traces: readonly string[]
}

/**
 * Sends recorded conversations in full and by each policy, and tells what each came to. Each is billed by the rules of its own model unless
 * one was named. Synchronous: for a thread of its own.
 */
export function runReplay(start: ReplayWork, recorded: Recorded, say: (news: ReplayNews) => void): void {
  const all = [...conversations(recorded.requests, start.dialects), ...recorded.traces.flatMap(tracesIn)]
  const billing = billings(start)
  const names = ['pass-through', ...start.policies.map(({ id }) => id)]
  const worth = worthOf(all.map(({ trace }) => billing(trace).rules))
  const pairs = names.map((): SessionPair[] => [])
  const of = all.length * names.length
  let done = 0
  for (const each of all) {
    const { rules, strategies } = billing(each.trace)
    const sent = strategies.map((strategy, index) => {
      say({ kind: 'progress', done, of, session: each.session })
      done += 1
      return sentBy(strategy, each.trace, { rules, name: names[index] ?? '' })
    })
    const [baseline, ...others] = sent
    if (!baseline) continue
    const inFull = scaledFigures(baseline.figures, worth.factor(rules))
    for (const [index, { figures }] of sent.entries())
      pairs[index]?.push({ figures: scaledFigures(figures, worth.factor(rules)), baseline: inFull })
    const { session, lane, requestIds } = each
    const policies = others.map((one) => one.told)
    const told = { session, lane, provider: rules.name, requestIds, passThrough: baseline.told, policies }
    say({ kind: 'session', session: told })
  }
  const { strategies } = billing(all[0]?.trace)
  const totals = strategies.map(({ name }, index) => strategyReport(name, pairs[index] ?? [], worth.inputDollars))
  const providers = new Set(all.map(({ trace }) => billing(trace).rules.name))
  say({ kind: 'done', provider: [...providers].join(', '), totals })
}

interface Billing {
  readonly rules: BillingRules
  readonly strategies: readonly Strategy[]
}

/** How conversations are billed, once for each of their models. */
function billings(start: ReplayWork): (trace: Trace | undefined) => Billing {
  const known = new Map<string | undefined, Billing>()
  return (trace) => {
    const model = start.model ?? trace?.model
    const found = known.get(model)
    if (found !== undefined) return found
    const rules = start.model === undefined ? tracedRules(model) : modelRules(start.model)
    const billing = { rules, strategies: [passThrough(), ...strategiesOf(start, rules)] }
    known.set(model, billing)
    return billing
  }
}

/** What makes costs of several models add up: dollars, in which each is turned to plain input tokens of the first. */
function worthOf(rules: readonly BillingRules[]) {
  const inputDollars = rules.every((one) => one.inputDollars !== undefined) ? rules[0]?.inputDollars : undefined
  const factor = ({ inputDollars: own }: BillingRules): number =>
    inputDollars === undefined || own === undefined ? 1 : own / inputDollars
  return { inputDollars, factor }
}

function strategiesOf({ policies, windowTokens, extras }: ReplayWork, rules: BillingRules): readonly Strategy[] {
  const named = policies.map((policy, index) => ({ name: `${'ABCD'.charAt(index)} ${policy.id}`, policy }))
  return policyStrategies(named, rules, { windowTokens, extras })
}

function conversations(requests: readonly ReplayedRequest[], dialects: DialectTable): readonly ReplayedTrace[] {
  return [...Map.groupBy(requests, ({ session, lane }) => JSON.stringify([session, lane])).values()].map((own) => {
    const { session = '', lane = '' } = own[0] ?? {}
    const recorded = own.map(({ dialect, path, body, atMs, answerTokens }) => ({
      conversation: dialects.for(dialect).decode({ body, ...(path !== undefined && { path }) }).conversation,
      atMs,
      answerTokens,
    }))
    const requestIds = own.map(({ requestId }) => requestId)
    return { session, lane, requestIds, trace: withFoundNeedles(conversationTrace(session, recorded)) }
  })
}

function tracesIn(text: string): readonly ReplayedTrace[] {
  return parseTrace(text, 'trace').map((trace) => ({
    session: trace.id,
    lane: '',
    requestIds: trace.requests.map((_, index) => `${trace.id}#${index}`),
    trace: withFoundNeedles(trace),
  }))
}

interface SentBy {
  readonly figures: SessionFigures
  readonly told: ReplayedFigures
}

function sentBy(strategy: Strategy, trace: Trace, { rules, name }: { rules: BillingRules; name: string }): SentBy {
  const bills: ReplayedBill[] = []
  const figures = replayTrace(trace, strategy, {
    ...countingOf(rules),
    openCache: rules.openCache,
    prices: rules.prices,
    outputPrice: rules.outputPrice,
    clock: () => performance.now(),
    billed: ({ tokens, cachedTokens, cost, unpacked = null }) =>
      void bills.push({ tokens, cachedTokens, cost, unpacked }),
  })
  const { tokens, cachedTokens, cost, breaks, recall, settled } = figures
  const dollars = rules.inputDollars === undefined ? null : (cost * rules.inputDollars) / 1e6
  const told: ReplayedFigures = {
    policy: name,
    tokens,
    cachedTokens,
    cost,
    dollars,
    breaks,
    needleRecall: shareOf(recall.strings),
    editTextRecall: shareOf(recall.edits),
    settledCost: settled?.cost ?? null,
    rehydrations: settled?.rehydrations ?? null,
    bills,
  }
  return { figures, told }
}

function shareOf({ of, kept }: { readonly of: number; readonly kept: number }): number | null {
  return of === 0 ? null : kept / of
}
