import type { z } from 'zod'
import { hasPack, isPrehendError, shownManifest } from '../../../core/index.ts'
import type { CompileInput, Item, ManifestDecision, Pack, PackEntry } from '../../../core/index.ts'
import { itemNames } from '../../../inspect/index.ts'
import type { CompileAgain } from '../../../sessions/index.ts'
import type { Receipt, Store } from '../../../stores/index.ts'
import { pageWithin } from '../cursor.ts'
import type { Answered, Asked } from '../route.ts'
import type { viewQuery } from '../routes/pack-routes.ts'
import type { packView, shownChoices } from '../schemas/views.ts'
import { keptFew } from './kept-few.ts'
import { leastContent } from './pack-summary.ts'
import { packNamed } from './packs.ts'

type View = Answered<z.output<typeof packView>>

export const noContent =
  'Content is not recorded (record: receipts, or the bodies of old requests were let go of): decisions are here, texts are not.'

type Whole = Omit<View, 'next' | 'counts'>

/** Requests whose views are kept. */
const mostKept = 4

/** What the model saw, as a conversation: each item as it was sent, why it stands so, and what it came as. */
export function viewReader(store: Store, compile: CompileAgain): (asked: Asked<typeof viewQuery>) => Promise<View> {
  // What is not recorded may yet be.
  const kept = keptFew<Whole>(mostKept, ({ whyNot }) => whyNot === null)
  return async (asked) => {
    const { requestId, createdMs } = await packNamed(store, asked, leastContent)
    const key = JSON.stringify([asked.tenant, requestId, createdMs])
    return pageOfView(await kept(key, async () => viewOf(await packNamed(store, asked), compile)), asked.query)
  }
}

const isChosen: Readonly<Record<(typeof shownChoices)[number], (item: View['items'][number]) => boolean>> = {
  shortened: ({ original, rung }) => original !== null || rung === 'omitted',
  calls: ({ kind }) => kind === 'tool-call' || kind === 'tool-result',
}

function pageOfView(whole: Whole, { show, ...page }: z.output<typeof viewQuery>): View {
  const { items } = whole
  const { data, next } = pageWithin(show === undefined ? items : items.filter(isChosen[show]), page)
  const counts = {
    items: items.length,
    shortened: items.filter(isChosen.shortened).length,
    calls: items.filter(isChosen.calls).length,
  }
  return { ...whole, items: data, next, counts }
}

function viewOf(receipt: Receipt, compile: CompileAgain): Whole {
  const { requestId, packId, input, request } = receipt
  const manifest = shownManifest(receipt.manifest)
  const { sections, stages = [], shadowPrice = null } = manifest
  const common = {
    requestId,
    packId,
    sections,
    stages,
    shadowPrice,
    breakpoints: request?.breakpoints.map(({ itemId }) => itemId) ?? [],
  }
  if (!input) {
    const items = manifest.decisions.map((decision) => shown(decision, undefined, undefined))
    return { ...common, whyNot: noContent, same: null, items, messages: [] }
  }
  const pack = packAgain(receipt, input, compile)
  const entries = hasPack(manifest) ? pack?.entries : input.items.map(({ id, text }) => ({ itemId: id, text }))
  return {
    ...common,
    whyNot: pack === undefined && hasPack(manifest) ? ofOtherVersion : null,
    same: pack === undefined ? null : pack.hash === manifest.packHash,
    items: itemsOf(manifest.decisions, input, entries),
    messages: pack?.layout === 'payload' ? pack.messages.map(({ role, text }) => ({ role, text })) : [],
  }
}

/** What this version cannot make again. */
export const ofOtherVersion = 'Another version of Prehend made this request; this one cannot make it again.'

/** The pack, made again; undefined where its compile had none, and where another version has made it. */
export function packAgain({ manifest }: Receipt, input: CompileInput, compile: CompileAgain): Pack | undefined {
  try {
    return compile(input, manifest).pack
  } catch (error) {
    if (isPrehendError(error) && error.code === 'invalid-input') return undefined
    throw error
  }
}

type ShownText = Pick<PackEntry, 'itemId' | 'text'>

function itemsOf(
  decisions: readonly ManifestDecision[],
  input: CompileInput,
  shownTexts: readonly ShownText[] = [],
): View['items'] {
  const items = new Map(input.items.map((item) => [item.id, item]))
  const entries = new Map(shownTexts.map((entry) => [entry.itemId, entry]))
  const decided = new Map(decisions.map((decision) => [decision.itemId, decision]))
  const sent = [...entries.keys()].flatMap((id) => decided.get(id) ?? [])
  const others = decisions.filter(({ itemId }) => !entries.has(itemId))
  const names = itemNames(input.items)
  return [...sent, ...others].map((one) => {
    const name = names.get(one.itemId)?.name ?? null
    return { ...shown(one, items.get(one.itemId), entries.get(one.itemId)), name }
  })
}

function shown(
  decision: ManifestDecision,
  item: Item | undefined,
  entry: ShownText | undefined,
): View['items'][number] {
  const { itemId, section, rung, reason, tokens, originalTokens, score, handle } = decision
  const text = rung === 'omitted' ? null : (entry?.text ?? null)
  return {
    itemId,
    name: null,
    section,
    kind: item?.kind ?? null,
    role: item?.role ?? null,
    toolName: item?.toolName ?? null,
    toolCallId: item?.toolCallId ?? null,
    rung,
    reason,
    score: score ?? null,
    tokens,
    originalTokens,
    handle: handle ?? null,
    text,
    original: item !== undefined && item.text !== text ? item.text : null,
  }
}
