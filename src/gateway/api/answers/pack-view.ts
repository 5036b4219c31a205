import type { z } from 'zod'
import type { CompileInput, Item, ManifestDecision, Pack, PackEntry } from '../../../core/index.ts'
import { compileAgain } from '../../../sessions/index.ts'
import type { Receipt } from '../../../stores/index.ts'
import type { Answered } from '../route.ts'
import type { packView } from '../schemas/views.ts'

type View = Answered<z.output<typeof packView>>

export const noContent =
  'Content is not recorded (record: receipts, or the bodies of old requests were let go of): decisions are here, texts are not.'

/** What the model saw, as a conversation: each item as it was sent, why it stands so, and what it came as. */
export function viewOf(receipt: Receipt): View {
  const { requestId, packId, manifest, input, request } = receipt
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
  const pack = packAgain(receipt, input)
  return {
    ...common,
    whyNot: null,
    same: pack === undefined ? null : pack.hash === manifest.packHash,
    items: itemsOf(manifest.decisions, input, pack),
    messages: pack?.layout === 'payload' ? pack.messages.map(({ role, text }) => ({ role, text })) : [],
  }
}

/** The pack, made again; undefined where its compile had none. */
export function packAgain({ manifest }: Receipt, input: CompileInput): Pack | undefined {
  return compileAgain(input, manifest).pack
}

function itemsOf(decisions: readonly ManifestDecision[], input: CompileInput, pack: Pack | undefined): View['items'] {
  const items = new Map(input.items.map((item) => [item.id, item]))
  const entries = new Map((pack?.entries ?? []).map((entry) => [entry.itemId, entry]))
  const decided = new Map(decisions.map((decision) => [decision.itemId, decision]))
  const sent = [...entries.keys()].flatMap((id) => decided.get(id) ?? [])
  const others = decisions.filter(({ itemId }) => !entries.has(itemId))
  return [...sent, ...others].map((one) => shown(one, items.get(one.itemId), entries.get(one.itemId)))
}

function shown(
  decision: ManifestDecision,
  item: Item | undefined,
  entry: PackEntry | undefined,
): View['items'][number] {
  const { itemId, section, rung, reason, tokens, originalTokens, score, handle } = decision
  const text = rung === 'omitted' ? null : (entry?.text ?? null)
  return {
    itemId,
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
