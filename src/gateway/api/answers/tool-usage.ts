import type { z } from 'zod'
import type { Receipt, ReceiptSummary, Store, ToolUseRow } from '../../../stores/index.ts'
import { modelCatalogue, priceOf } from '../../../tokens/index.ts'
import type { ModelCatalogue, ModelSettings } from '../../../tokens/index.ts'
import { metaToolNames, qualityOf } from '../../../tools/index.ts'
import type { ServingParts } from '../../parts.ts'
import { settingsFor } from '../../tenant-settings.ts'
import type { Answered, Asked } from '../route.ts'
import type { toolUsageQuery } from '../routes/usage-routes.ts'
import type { toolUsage } from '../schemas/usage.ts'
import { keptFew } from './kept-few.ts'
import { newestReceipts, sentManifest, wasSent } from './sent-receipts.ts'
import { definitionsIn, toolItems } from './tool-items.ts'
import type { ToolItem } from './tool-items.ts'
import { addRequestTools, newToolSum } from './tool-sums.ts'
import type { ToolSum } from './tool-sums.ts'

type Usage = Answered<z.output<typeof toolUsage>>
type UsageStore = Pick<Store, 'read'>
type Models = Readonly<Record<string, ModelSettings>>

/** What the tenant's configuration says of models, by which their tokens are priced. */
export function toolPrices({ config }: Pick<ServingParts, 'config'>, { tenant }: Asked): { readonly models: Models } {
  return { models: settingsFor(config, tenant).models }
}

/** Sums that are kept until another request comes or ends. */
const mostKept = 8

/** How the newest requests used tools. */
export function toolUsageReader(
  store: UsageStore,
): (asked: Asked<typeof toolUsageQuery>, given: unknown) => Promise<Usage> {
  const kept = keptFew<Sum>(mostKept, () => true)
  return async ({ tenant, query }, given) => {
    const { session, top } = query
    const { models = {} } = (given ?? {}) as { readonly models?: Models }
    const { newest, whole, state } = await newestReceipts(store, tenant, query)
    const key = JSON.stringify([tenant, session, state, models])
    const sum = await kept(key, async () => {
      const made = newSum()
      const reading = { store, tenant, sum: made, catalogue: modelCatalogue({ models }) }
      for (const row of newest) await addReceipt(reading, row)
      return made
    })
    // Counts of one session are of the tenant all the same.
    const learnt = await store.read('tool-uses').all(tenant)
    return usageOf(sum, { learnt, isOfAll: session === undefined, top, whole })
  }
}

interface Sum {
  requests: number
  unread: number
  totals: { requests: number; definedTokens: number; wastedTokens: number; leftTokens: number; leftRequests: number }
  readonly tools: Map<string, ToolSum>
  readonly conversations: Map<string, Known>
}

/** What is known of a conversation by its newer requests. */
interface Known {
  /** Ids of all items, and those of tools. */
  readonly ids: Set<string>
  readonly items: Map<string, ToolItem>
}

function newSum(): Sum {
  const totals = { requests: 0, definedTokens: 0, wastedTokens: 0, leftTokens: 0, leftRequests: 0 }
  return { requests: 0, unread: 0, totals, tools: new Map(), conversations: new Map() }
}

interface Reading {
  readonly store: UsageStore
  readonly tenant: string
  readonly sum: Sum
  readonly catalogue: ModelCatalogue
}

async function addReceipt(reading: Reading, row: ReceiptSummary): Promise<void> {
  const { store, tenant, sum, catalogue } = reading
  const receipt = await store.read('receipts').get(tenant, row.requestId, { input: false, request: false })
  if (receipt === undefined || !wasSent(receipt)) return
  const { decisions } = sentManifest(receipt)
  const conversation = JSON.stringify([row.session, row.lane])
  const known = await knownOf(reading, { row, conversation, ids: decisions.map(({ itemId }) => itemId) })
  sum.requests += 1
  if (known === undefined) sum.unread += 1
  addTotals(sum.totals, row)
  const all = decisions.reduce((total, { tokens }) => total + tokens, 0)
  const cost = receipt.result?.cost
  addRequestTools(sum.tools, {
    conversation,
    decisions,
    items: known?.items ?? definitionsIn(decisions),
    isRead: known !== undefined,
    ours: row.leftTools === undefined ? new Set() : metaToolNames,
    inputUsd: inputPrice(receipt, catalogue),
    usd: cost?.usd === undefined || all === 0 ? undefined : cost.usd / all,
  })
}

interface Wanted {
  readonly row: ReceiptSummary
  readonly conversation: string
  readonly ids: readonly string[]
}

/** An older request mostly has what a newer one of its conversation has, so that few are read. Undefined where content is not recorded. */
async function knownOf(
  { store, tenant, sum }: Reading,
  { row, conversation, ids }: Wanted,
): Promise<Known | undefined> {
  const known = sum.conversations.get(conversation) ?? { ids: new Set(), items: new Map() }
  if (known.ids.size > 0 && ids.every((id) => known.ids.has(id))) return known
  const found = await store.read('receipts').get(tenant, row.requestId, { request: false })
  if (found?.input === undefined) return undefined
  for (const { id } of found.input.items) known.ids.add(id)
  for (const [id, item] of toolItems(found.input.items)) known.items.set(id, item)
  sum.conversations.set(conversation, known)
  return known
}

function addTotals(totals: Sum['totals'], { wastedTools, leftTools }: ReceiptSummary): void {
  if (wastedTools !== undefined) {
    totals.requests += 1
    totals.definedTokens += wastedTools.definedTokens
    totals.wastedTokens += wastedTools.wastedTokens
  }
  if (leftTools !== undefined) {
    totals.leftRequests += 1
    totals.leftTokens += leftTools.leftTokens
  }
}

/** Dollars for one token of input that is not read from a cache, at the size of the request. */
function inputPrice({ model, result, manifest }: Receipt, catalogue: ModelCatalogue): number | undefined {
  const name = result?.answeredBy ?? model
  if (name === undefined) return undefined
  const inputTokens = Math.max(1, result?.cost?.inputTokens ?? manifest.packTokens)
  const usd = priceOf({ inputTokens, outputTokens: 0 }, catalogue.info(name))
  return usd === undefined ? undefined : usd / inputTokens
}

interface Shown {
  readonly learnt: readonly ToolUseRow[]
  /** Whether tools that stand in no request are shown, too. */
  readonly isOfAll: boolean
  readonly top: number
  readonly whole: boolean
}

function usageOf({ requests, unread, totals, tools }: Sum, { learnt, isOfAll, top, whole }: Shown): Usage {
  const uses = new Map(learnt.map((use) => [use.name, use]))
  const used = [...tools.values()].map((sum) => rowOf(sum, uses.get(sum.name)))
  const unused = learnt.flatMap((use) =>
    isOfAll && !tools.has(use.name) ? [rowOf({ ...newToolSum(use.name, false), isRead: true }, use)] : [],
  )
  const taken = ({ definitionTokens, resultTokens }: Usage['data'][number]): number =>
    definitionTokens + (resultTokens ?? 0)
  const data = [...used.toSorted((one, other) => taken(other) - taken(one)), ...unused]
  return { requests, whole, unread, totals, tools: data.length, data: data.slice(0, top) }
}

function rowOf(sum: ToolSum, learnt: ToolUseRow | undefined): Usage['data'][number] {
  const { calls, failures, isRead, wasted, wastedTokens, resultTokens, ...rest } = sum
  const known = <Value>(value: Value): Value | null => (isRead ? value : null)
  return {
    ...rest,
    wasted: known(wasted),
    called: known(calls.size),
    failed: known(failures.size),
    wastedTokens: known(wastedTokens),
    resultTokens: known(resultTokens),
    ...(learnt && { learnt: learntOf(learnt) }),
  }
}

/** Without `queries`, which are text of users. */
function learntOf(use: ToolUseRow): NonNullable<Usage['data'][number]['learnt']> {
  const { sessions, calledIn, offered, called, failed } = use
  return { sessions, calledIn, offered, called, failed, quality: qualityOf(use) }
}
