import type {
  CompileInput,
  Item,
  ItemKind,
  ManifestDecision,
  ReasonCode,
  Role,
  Rung,
  Section,
} from '../../core/index.ts'
import type { Chosen } from '../../governor/index.ts'

/** Where an item comes from; members are absent where nothing is known. */
export interface ItemOrigin {
  readonly kind?: ItemKind
  readonly role?: Role
  /** Message of the conversation, from 1, and the model's turn that it belongs to, from 0: items of one speaker in a row are one message. */
  readonly message?: number
  readonly turn?: number
  readonly tool?: string
  /** Of a result: the id of the call that brought it, and what was asked for, shortened. */
  readonly callId?: string
  readonly asked?: string
  readonly sourceId?: string
  readonly uri?: string
  readonly title?: string
  /** ISO-8601. */
  readonly retrievedAt?: string
  /** The query or strategy that found it. */
  readonly query?: string
}

/** An item of a request, as it stands there, and where it comes from. */
export interface ItemLineage {
  readonly itemId: string
  readonly section: Section
  readonly rung: Rung
  readonly reason: ReasonCode
  readonly tokens: number
  readonly originalTokens: number
  readonly handle?: string
  readonly origin: ItemOrigin
}

/** The items of one section, dearest first. */
export interface SectionLineage {
  readonly section: Section
  readonly tokens: number
  /** Of the pack, in [0, 1]. */
  readonly share: number
  readonly items: readonly ItemLineage[]
}

/** What a pack is made of; the tokens of its sections and of what frames them make its own. */
export interface PackLineage {
  readonly packTokens: number
  readonly frameTokens: number
  /** Dearest first. */
  readonly sections: readonly SectionLineage[]
}

/**
 * Tokens of a pack by section and item, each with where it comes from. `items` are those that were compiled; without them a receipt knows
 * sections, tokens and reasons only.
 *
 * ```ts
 * const { sections } = lineageOf(compile(input), input.items)
 * ```
 */
export function lineageOf({ manifest }: Pick<Chosen, 'manifest'>, items: CompileInput['items'] = []): PackLineage {
  const { packTokens, decisions, sections } = manifest
  const origins = originsOf(items)
  const traced = decisions.map((decision) => lineage(decision, origins))
  const made = [...new Set([...sections.map(({ section }) => section), ...decisions.map(({ section }) => section)])]
    .map((section): SectionLineage => {
      const own = traced.filter((one) => one.section === section)
      const tokens = own.reduce((sum, one) => sum + one.tokens, 0)
      const share = packTokens > 0 ? tokens / packTokens : 0
      return { section, tokens, share, items: own.toSorted((a, b) => b.tokens - a.tokens) }
    })
    .filter((section) => section.items.length > 0)
  const inItems = made.reduce((sum, { tokens }) => sum + tokens, 0)
  return {
    packTokens,
    frameTokens: packTokens - inItems,
    sections: made.toSorted((a, b) => b.tokens - a.tokens),
  }
}

function lineage(decision: ManifestDecision, origins: ReadonlyMap<string, ItemOrigin>): ItemLineage {
  const { itemId, section, rung, reason, tokens, originalTokens, handle } = decision
  const origin = origins.get(itemId) ?? {}
  return { itemId, section, rung, reason, tokens, originalTokens, ...(handle !== undefined && { handle }), origin }
}

/** Where each item comes from, by its id. */
export function originsOf(items: readonly Item[]): ReadonlyMap<string, ItemOrigin> {
  const calls = new Map<string, Item>()
  for (const item of items) if (item.kind === 'tool-call') calls.set(callKey(item), item)
  let message = 0
  let turn = 0
  let speaker: Role | undefined
  return new Map(
    items.map((item) => {
      if (isSaid(item) && item.role !== speaker) {
        message += 1
        if (item.role === 'assistant') turn += 1
        speaker = item.role
      }
      const place = isSaid(item) ? { message, turn } : {}
      return [item.id, { ...place, ...originOf(item, calls.get(callKey(item))) }]
    }),
  )
}

function callKey({ toolCallId, group, id }: Item): string {
  return toolCallId ?? group ?? id
}

/** What stands in a conversation, and not in a payload around it. */
function isSaid({ role, section }: Item): boolean {
  return (
    role !== undefined && (section === 'history' || section === 'query' || section === 'policy' || section === 'role')
  )
}

const longestAsked = 160

function originOf(item: Item, call: Item | undefined): ItemOrigin {
  const { kind, role, toolName, provenance } = item
  const tool = toolName ?? (kind === 'tool-result' ? call?.toolName : undefined)
  const asked = kind === 'tool-result' ? call?.text.replaceAll(/\s+/g, ' ') : undefined
  return {
    kind,
    ...(role !== undefined && { role }),
    ...(tool !== undefined && { tool }),
    ...(call !== undefined && call.id !== item.id && { callId: call.id }),
    ...(asked !== undefined && { asked: asked.length > longestAsked ? `${asked.slice(0, longestAsked - 1)}…` : asked }),
    ...(provenance && {
      sourceId: provenance.sourceId,
      ...(provenance.uri !== undefined && { uri: provenance.uri }),
      ...(provenance.title !== undefined && { title: provenance.title }),
      ...(provenance.retrievedAt !== undefined && { retrievedAt: provenance.retrievedAt }),
      ...(provenance.lineage !== undefined && { query: provenance.lineage }),
    }),
  }
}
