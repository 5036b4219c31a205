import type { z } from 'zod'
import type { ManifestDecision } from '../../../core/index.ts'
import { itemNames } from '../../../inspect/index.ts'
import type { ItemName } from '../../../inspect/index.ts'
import type { ReceiptSummary, Store } from '../../../stores/index.ts'
import type { Answered, Asked } from '../route.ts'
import type { usageQuery } from '../routes/usage-routes.ts'
import type { tokenUsage } from '../schemas/usage.ts'
import { keptFew } from './kept-few.ts'
import { newestReceipts, sentManifest, wasSent } from './sent-receipts.ts'

type Usage = Answered<z.output<typeof tokenUsage>>
type UsageStore = Pick<Store, 'read'>

/** Answers that are kept until another request comes or ends. */
const mostKept = 8

/** Where the tokens of the newest requests went. */
export function usageReader(store: UsageStore): (asked: Asked<typeof usageQuery>) => Promise<Usage> {
  const kept = keptFew<Usage>(mostKept, () => true)
  return async ({ tenant, query }) => {
    const { session, top } = query
    const { newest, whole, state } = await newestReceipts(store, tenant, query)
    const key = JSON.stringify([tenant, session, top, whole, state])
    return kept(key, async () => {
      const sum = newSum()
      for (const row of newest) await addRequest(store, tenant, sum, row)
      return usageOf(sum, top, whole)
    })
  }
}

interface ItemSum {
  readonly session: string
  readonly requestId: string
  readonly itemId: string
  readonly name: ItemName
  readonly tokens: number
  requests: number
  carried: number
  usd: number | null
}

interface RequestSum {
  readonly createdMs: number
  /** Tokens by group. */
  readonly groups: ReadonlyMap<string, number>
}

interface Sum {
  requests: number
  usd: number | null
  readonly items: Map<string, ItemSum>
  /** By request, the newest first. */
  readonly byRequest: RequestSum[]
  /** Names of the items of a conversation, by its newest request. */
  readonly names: Map<string, ReadonlyMap<string, ItemName>>
}

function newSum(): Sum {
  return { requests: 0, usd: null, items: new Map(), byRequest: [], names: new Map() }
}

/** The newest first: its texts name what older requests carried as well. */
async function addRequest(store: UsageStore, tenant: string, sum: Sum, row: ReceiptSummary): Promise<void> {
  const conversation = JSON.stringify([row.session, row.lane])
  const isNewest = !sum.names.has(conversation)
  const receipt = await store.read('receipts').get(tenant, row.requestId, { input: isNewest, request: false })
  if (receipt === undefined || !wasSent(receipt)) return
  if (isNewest) sum.names.set(conversation, itemNames(receipt.input?.items ?? []))
  const { decisions } = sentManifest(receipt)
  const all = decisions.reduce((total, { tokens }) => total + tokens, 0)
  const usd = receipt.result?.cost?.usd
  sum.requests += 1
  if (usd !== undefined) sum.usd = (sum.usd ?? 0) + usd
  const groups = new Map<string, number>()
  sum.byRequest.push({ createdMs: row.createdMs, groups })
  for (const decision of decisions) {
    if (decision.tokens === 0) continue
    const { group } = nameOf(sum, conversation, decision)
    groups.set(group, (groups.get(group) ?? 0) + decision.tokens)
    const share = usd === undefined || all === 0 ? undefined : (usd * decision.tokens) / all
    addItem(sum, { row, conversation, decision, share })
  }
}

interface Carried {
  readonly row: ReceiptSummary
  readonly conversation: string
  readonly decision: ManifestDecision
  readonly share: number | undefined
}

function addItem(sum: Sum, { row, conversation, decision, share }: Carried): void {
  const { itemId, tokens } = decision
  const key = JSON.stringify([conversation, itemId])
  const name = nameOf(sum, conversation, decision)
  const { session, requestId } = row
  const found = sum.items.get(key) ?? { session, requestId, itemId, name, tokens, requests: 0, carried: 0, usd: null }
  found.requests += 1
  found.carried += tokens
  if (share !== undefined) found.usd = (found.usd ?? 0) + share
  sum.items.set(key, found)
}

function nameOf({ names }: Sum, conversation: string, { itemId, section }: ManifestDecision): ItemName {
  return names.get(conversation)?.get(itemId) ?? { name: itemId, group: section }
}

/** Runs of successive requests. */
const mostRuns = 20

function driftOf(byRequest: readonly RequestSum[]): Usage['drift'] {
  const oldestFirst = byRequest.toReversed()
  const size = Math.max(1, Math.ceil(oldestFirst.length / mostRuns))
  const starts = Array.from({ length: Math.ceil(oldestFirst.length / size) }, (_, run) => run * size)
  return starts.map((start) => {
    const run = oldestFirst.slice(start, start + size)
    const groups = new Map<string, number>()
    for (const [group, tokens] of run.flatMap((one) => [...one.groups]))
      groups.set(group, (groups.get(group) ?? 0) + tokens)
    return {
      fromMs: run[0]?.createdMs ?? 0,
      requests: run.length,
      groups: Array.from(groups, ([group, carried]) => ({ group, carried })),
    }
  })
}

function usageOf({ requests, usd, items, byRequest }: Sum, top: number, whole: boolean): Usage {
  const all = [...items.values()]
  const groups = Array.from(
    Map.groupBy(all, ({ name }) => name.group),
    ([group, members]) => ({ group, ...carriedBy(members) }),
  )
  const dearest = all.toSorted((one, other) => other.carried - one.carried).slice(0, top)
  return {
    requests,
    whole,
    carried: carriedBy(all).carried,
    usd,
    drift: driftOf(byRequest),
    groups: groups.toSorted((one, other) => other.carried - one.carried),
    items: dearest.map(({ name: { name, group }, ...item }) => ({ ...item, name, group })),
  }
}

function carriedBy(items: readonly ItemSum[]): Pick<ItemSum, 'carried' | 'usd'> {
  const priced = items.flatMap(({ usd }) => usd ?? [])
  return {
    carried: items.reduce((sum, { carried }) => sum + carried, 0),
    usd: priced.length === 0 ? null : priced.reduce((sum, usd) => sum + usd, 0),
  }
}
