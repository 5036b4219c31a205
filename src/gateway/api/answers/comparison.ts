import type { z } from 'zod'
import { invalidInput } from '../../../core/index.ts'
import type { Policy } from '../../../core/index.ts'
import { modelRules, plainRules, sessionUnder } from '../../../inspect/index.ts'
import type { BillingRules, PackedAgain } from '../../../inspect/index.ts'
import type { CompileAgain } from '../../../sessions/index.ts'
import type { Receipt, Store } from '../../../stores/index.ts'
import type { ServingParts } from '../../parts.ts'
import { pageWithin } from '../cursor.ts'
import type { Answered, Asked } from '../route.ts'
import type { comparisonQuery } from '../routes/pack-routes.ts'
import type { packComparison } from '../schemas/comparison.ts'
import { comparedItems } from './compared-items.ts'
import { compiledRequests } from './compiled-requests.ts'
import type { CompiledRequest } from './compiled-requests.ts'
import { keptFew } from './kept-few.ts'
import { packNamed } from './packs.ts'
import { noContent } from './pack-view.ts'
import { leastContent } from './pack-summary.ts'

type Comparison = Answered<z.output<typeof packComparison>>
type Whole = Omit<Comparison, 'next'>
type Side = Comparison['sides'][number]
type Bill = Side['bill']

interface Policies {
  readonly policy: Policy
  readonly against?: Policy
}

/** What the names of a question stand for. Throws `invalid-input`. */
export function policiesCompared({ policies, replays }: ServingParts, asked: Asked): Policies {
  const { tenant, query } = asked as unknown as Asked<typeof comparisonQuery>
  const named = (name: string, field: string): Policy => {
    const [, replay, which = ''] = /^(rpl_\w+):([A-D])$/.exec(name) ?? []
    if (replay === undefined) return policies.named({ id: name, field, tenant })
    const given = replays.one(tenant, replay)?.compared['ABCD'.indexOf(which)]
    if (given) return given
    throw invalidInput(field, 'is of no replay that is kept', 'List them with GET /v1/replays.')
  }
  const { policy, against } = query
  return { policy: named(policy, 'policy'), ...(against !== undefined && { against: named(against, 'against') }) }
}

/** Comparisons that are kept. */
const mostKept = 2

/** One request under two policies, side by side. */
export function comparisonReader(
  store: Store,
  compile: CompileAgain,
): (asked: Asked<typeof comparisonQuery>, given: unknown) => Promise<Comparison> {
  const kept = keptFew<Whole>(mostKept, ({ whyNot }) => whyNot === null)
  return async (asked, given) => {
    const { from, only, ...page } = asked.query
    const policies = given as Policies
    const receipt = await packNamed(store, asked, leastContent)
    const key = JSON.stringify([asked.tenant, receipt.requestId, receipt.createdMs, from, policies])
    const whole = await kept(key, () => compared(store, asked.tenant, { receipt, from, compile, ...policies }))
    const items = only === undefined ? whole.items : whole.items.filter(({ isSame }) => !isSame)
    const { data, next } = pageWithin(items, page)
    return { ...whole, items: data, next }
  }
}

interface Wanted extends Policies {
  readonly receipt: Receipt
  readonly from: 'session' | 'request'
  readonly compile: CompileAgain
}

async function compared(store: Store, tenant: string, wanted: Wanted): Promise<Whole> {
  const { receipt, from, policy, against } = wanted
  const rules = rulesOf(receipt)
  const both = [sideRun(against, wanted, rules), sideRun(policy, wanted, rules)] as const
  const head = { requestId: receipt.requestId, session: receipt.session, from }
  let last: CompiledRequest | undefined
  let requests = 0
  for await (const request of compiledRequests(store, tenant, { receipt, from })) {
    if (!request) return { ...head, ...nothing, whyNot: noContent }
    for (const side of both) side.take(request)
    last = request
    requests += 1
  }
  const [one, other] = both.map((side) => side.last())
  if (!last || !one || !other) return { ...head, ...nothing, whyNot: noContent }
  const items = comparedItems(last, one, other)
  return {
    ...head,
    whyNot: null,
    requests,
    rules: rules.name === 'plain' ? null : rules.name,
    sides: both.map((side) => side.told()),
    counts: { items: items.length, otherwise: items.filter(({ isSame }) => !isSame).length },
    items,
  }
}

const nothing = { requests: 0, rules: null, sides: [], counts: { items: 0, otherwise: 0 }, items: [] }

/** Plain where nobody knows those of the model. */
function rulesOf({ model, result }: Receipt): BillingRules {
  try {
    return modelRules(result?.answeredBy ?? model ?? '')
  } catch {
    return plainRules()
  }
}

interface SideRun {
  take(request: CompiledRequest): void
  last(): PackedAgain | undefined
  told(): Side
}

/** A session as a policy packs it, or, without one, as it was packed. */
function sideRun(policy: Policy | undefined, { from, compile }: Wanted, rules: BillingRules): SideRun {
  const session = sessionUnder(rules, compile)
  let packed: PackedAgain | undefined
  let recorded: CompiledRequest | undefined
  let sum = { tokens: 0, cachedTokens: 0, cost: 0 }
  let isSame = true
  return {
    take(request) {
      recorded = request
      packed = session.next(request, from === 'session' || request.isLast ? policy : undefined)
      const { tokens, cachedTokens, cost } = packed.bill
      sum = { tokens: sum.tokens + tokens, cachedTokens: sum.cachedTokens + cachedTokens, cost: sum.cost + cost }
      isSame &&= packed.isSame
    },
    last: () => packed,
    told() {
      const { result, asItCame = true, bill = sum } = packed ?? {}
      const manifest = result?.manifest ?? recorded?.manifest
      return {
        policy: (policy ?? recorded?.input.policy)?.id ?? '',
        isRecorded: policy === undefined,
        same: policy === undefined ? isSame : null,
        outcome: result?.outcome.kind ?? null,
        asItCame,
        originalTokens: manifest?.originalTokens ?? 0,
        packTokens: (asItCame ? manifest?.originalTokens : manifest?.packTokens) ?? 0,
        epoch: result?.manifest.epoch ?? null,
        bill: inDollars(bill, rules),
        soFar: inDollars(sum, rules),
      }
    },
  }
}

function inDollars(bill: Omit<Bill, 'usd'>, { inputDollars }: BillingRules): Bill {
  const { tokens, cachedTokens, cost } = bill
  return { tokens, cachedTokens, cost, usd: inputDollars === undefined ? null : (cost * inputDollars) / 1e6 }
}
