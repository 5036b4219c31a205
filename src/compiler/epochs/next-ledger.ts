import type {
  CompactionState,
  ConversationLedger,
  EpochRecord,
  Item,
  LedgerEntry,
  Rendition,
} from '../../core/index.ts'
import { ledgerSchema } from '../../core/index.ts'
import { nextMarks, readableTokens } from './cache-marks.ts'
import { isWarm, prefixSums, requestCost } from './cache-price.ts'
import type { PlanContext } from './plan-context.ts'
import { passThroughCost } from './plan-context.ts'
import type { Rendered } from './render-from.ts'
import { entriesOf } from './session-view.ts'
import { tellsFidelity, toldFidelity } from './told-fidelity.ts'

export interface NextOptions {
  readonly rendered: Rendered
  readonly epoch: EpochRecord
  /** Whether the request is the first that offers the tool that follows handles: it is written anew. */
  readonly offers: boolean
  /** What holding on to steps that could be compacted has cost so far. */
  readonly rent?: number | undefined
  /** What the session has been compacted. */
  readonly compacted?: CompactionState | undefined
}

/** The ledger after this request: every decision frozen, the account and the regret carried on. */
export function nextLedger(
  { input, view }: PlanContext,
  { rendered, epoch, offers, rent, compacted }: NextOptions,
): ConversationLedger {
  const { ledger, prices, items, tokens, step } = input
  const before = entriesOf(ledger)
  const warm = ledger !== undefined && isWarm(ledger.lastRequestMs, input.nowMs, prices)
  const isTold = tellsFidelity(input.policy)
  const entries = items.map((item, index) =>
    entryOf({
      item,
      key: view.keys[index] ?? '',
      shown: rendered.renditions[index],
      before: before[index],
      fullTokens: tokens[index] ?? 0,
      isTold,
    }),
  )
  const sums = prefixSums(entries)
  const same = warm && !offers ? unchangedItems(entries, before) : 0
  const total = (sums.at(-1) ?? 0) + input.overheadTokens + (offers ? (input.offerTokens ?? 0) : 0)
  const cache = { items, ledger, nowMs: input.nowMs, prices }
  const cached = warm && !offers ? readableTokens({ ...cache, sums }, same) + input.overheadTokens : 0
  return {
    schema: ledgerSchema,
    layout: 'messages',
    epoch: epoch.epoch,
    policyId: input.policy.id,
    entries,
    turns: (ledger?.turns ?? 0) + 1,
    ...(input.nowMs === undefined ? {} : { lastRequestMs: input.nowMs }),
    lastTokens: total,
    lastOriginalTokens: tokens.reduce((all, count) => all + count, 0),
    account: {
      passThrough: (ledger?.account.passThrough ?? 0) + passThroughCost(input, view, warm),
      actual: (ledger?.account.actual ?? 0) + requestCost(total, cached, prices),
    },
    marks: nextMarks(cache, same),
    regret: epoch.decision === 'begin' ? 0 : (ledger?.regret ?? 0) + epoch.savingPerTurn * prices.read,
    rehydrations: ledger?.rehydrations ?? 0,
    ...(rent === undefined ? {} : { rent }),
    ...(compacted === undefined ? {} : { compacted }),
    ...(step === undefined ? {} : { step }),
  }
}

interface EntryOptions {
  readonly item: Item
  readonly key: string
  readonly shown: Rendition | undefined
  readonly before: LedgerEntry | undefined
  readonly fullTokens: number
  /** Whether it tells the fidelity of its form. */
  readonly isTold: boolean
}

/** The entry of the last request itself where nothing changed. */
function entryOf({ item, key, shown, before, fullTokens, isTold }: EntryOptions): LedgerEntry {
  const isOwn = shown === undefined || (shown.text === item.text && shown.rung !== 'omitted')
  const text = isOwn ? undefined : shown.text
  // What is left out says nothing by itself: a later brief has another handle.
  const isOther = shown?.rung === 'omitted' && before?.handle !== shown.handle
  const isSame =
    before?.key === key && before.text === text && !isOther && (!isOwn || before.originalTokens === fullTokens)
  if (isSame && (!isTold || isOwn || toldFidelity(before) === shown.fidelity)) return before
  const entry: LedgerEntry = {
    key,
    rung: shown?.rung ?? 'full',
    ...(text === undefined ? {} : { text }),
    tokens: shown?.tokens ?? fullTokens,
    originalTokens: fullTokens,
    ...(shown?.handle === undefined ? {} : { handle: shown.handle }),
    ...(shown?.references === undefined ? {} : { references: shown.references }),
    ...(shown?.unhandled === undefined ? {} : { unhandled: shown.unhandled }),
  }
  return !isTold || isOwn || shown.fidelity === toldFidelity(entry) ? entry : { ...entry, fidelity: shown.fidelity }
}

/** Items at the front that the last request sent with the same bytes. */
function unchangedItems(entries: readonly LedgerEntry[], last: readonly LedgerEntry[]): number {
  let items = 0
  while (items < last.length && last[items]?.key === entries[items]?.key && last[items]?.text === entries[items]?.text)
    items++
  return items
}
