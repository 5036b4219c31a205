import type { z } from 'zod'
import type { PackEntry } from '../../../core/index.ts'
import { itemNames } from '../../../inspect/index.ts'
import type { CompileAgain } from '../../../sessions/index.ts'
import type { Receipt, Store } from '../../../stores/index.ts'
import type { Answered, Asked } from '../route.ts'
import type { differenceQuery } from '../routes/pack-routes.ts'
import type { packDifference } from '../schemas/views.ts'
import { notFound } from './not-found.ts'
import { noContent, packAgain } from './pack-view.ts'
import { neighboursOf } from './pack-summary.ts'
import { packNamed } from './packs.ts'

type Difference = Answered<z.output<typeof packDifference>>
type Change = Omit<Difference['items'][number], 'name'>

/** What a request sent otherwise than the one before it, and what that does to the beginning that a cache holds. */
export async function answerDifference(
  store: Store,
  asked: Asked<typeof differenceQuery>,
  compile: CompileAgain,
): Promise<Difference> {
  const after = await packNamed(store, asked, { request: false })
  const { from } = asked.query
  const before =
    from === undefined
      ? await requestBefore(store, asked.tenant, after)
      : await store.read('receipts').get(asked.tenant, from, { request: false })
  if (from !== undefined && !before) throw notFound('pack', 'Correct from: List them with GET /v1/packs.')
  const common = { from: before?.requestId ?? null, to: after.requestId }
  if (!before) return { ...common, whyNot: 'It is the first of its conversation that is kept.', ...nothing }
  if (!before.input || !after.input) return { ...common, whyNot: noContent, ...nothing }
  const entriesOf = (receipt: Receipt): readonly PackEntry[] =>
    (receipt.input && packAgain(receipt, receipt.input, compile)?.entries) ?? []
  const { items, ...difference } = differenceOf(entriesOf(before), entriesOf(after))
  const [was, now] = [itemNames(before.input.items), itemNames(after.input.items)]
  const nameOf = (id: string): string | null => (now.get(id) ?? was.get(id))?.name ?? null
  return {
    ...common,
    whyNot: null,
    ...difference,
    items: items.map((item) => ({ ...item, name: nameOf(item.itemId) })),
  }
}

const nothing = { prefix: null, counts: { same: 0, changed: 0, added: 0, removed: 0, moved: 0 }, items: [] }

/** Of the same conversation. */
async function requestBefore(store: Store, tenant: string, receipt: Receipt): Promise<Receipt | undefined> {
  const { before } = await neighboursOf(store, tenant, receipt)
  return before && store.read('receipts').get(tenant, before.requestId, { request: false })
}

function differenceOf(
  before: readonly PackEntry[],
  after: readonly PackEntry[],
): Pick<Difference, 'prefix' | 'counts'> & { readonly items: readonly Change[] } {
  const was = new Map(before.map((entry, index) => [entry.itemId, { entry, index }]))
  const now = new Set(after.map(({ itemId }) => itemId))
  let last = -1
  const kept = after.map((entry): Change => {
    const known = was.get(entry.itemId)
    if (!known) return changeOf('added', undefined, entry)
    const isMoved = known.index < last
    last = Math.max(last, known.index)
    if (known.entry.text !== entry.text) return changeOf('changed', known.entry, entry)
    return changeOf(isMoved ? 'moved' : 'same', known.entry, entry)
  })
  const items = [
    ...kept,
    ...before.filter(({ itemId }) => !now.has(itemId)).map((entry) => changeOf('removed', entry, undefined)),
  ]
  const counts = { ...nothing.counts }
  for (const { change } of items) counts[change] += 1
  return { prefix: prefixOf(before, after), counts, items }
}

function prefixOf(before: readonly PackEntry[], after: readonly PackEntry[]): Difference['prefix'] {
  const broken = before.findIndex(
    ({ itemId, text }, index) => after[index]?.itemId !== itemId || after[index]?.text !== text,
  )
  const same = broken < 0 ? before : before.slice(0, broken)
  return {
    sameItems: same.length,
    sameTokens: sum(same),
    ofTokens: sum(before),
    brokenBy: broken < 0 ? null : (before[broken]?.itemId ?? null),
  }
}

function sum(entries: readonly PackEntry[]): number {
  return entries.reduce((total, { tokens }) => total + tokens, 0)
}

/** What stands as it was is told of without its text. */
function changeOf(change: Change['change'], before: PackEntry | undefined, after: PackEntry | undefined): Change {
  const isTold = change !== 'same' && change !== 'moved'
  return {
    itemId: after?.itemId ?? before?.itemId ?? '',
    change,
    section: after?.section ?? before?.section ?? '',
    rungBefore: before?.rung ?? null,
    rungAfter: after?.rung ?? null,
    tokensBefore: before?.tokens ?? null,
    tokensAfter: after?.tokens ?? null,
    before: isTold ? (before?.text ?? null) : null,
    after: isTold ? (after?.text ?? null) : null,
  }
}
