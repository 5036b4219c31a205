import { stepNumbers } from '../compiler/index.ts'
import { omissionText } from '../core/index.ts'
import type { Item, Manifest } from '../core/index.ts'
import type { ArchiveReason, Original } from '../stores/index.ts'
import { summaryOriginals } from './summary-originals.ts'

/** Where the bytes of a media item are: `mediaUrl` of the codec that read it; those that have a URL need none. */
export type MediaUrl = (itemId: string) => string | undefined

/** What else is known of what was decided. */
export interface OriginalsOf {
  readonly requestId?: string
  readonly mediaUrl?: MediaUrl
}

/**
 * What the handles of what was decided bring back: items as they came, of media its URL, or its bytes as a `data:` URL, and lists of what
 * a payload does not show.
 */
export function originalsOf(
  items: readonly Item[],
  {
    decisions,
    omissions = [],
    summaries = [],
    compaction,
  }: Pick<Manifest, 'decisions' | 'omissions' | 'summaries' | 'compaction'>,
  { requestId, mediaUrl }: OriginalsOf = {},
): Original[] {
  const ofSummaries = new Set(summaries.map(({ handle }) => handle))
  const compacted = new Set(compaction?.handles)
  const whyOf = (handle: string, why: ArchiveReason): ArchiveReason => (compacted.has(handle) ? 'compacted' : why)
  const withHandle = decisions.filter(({ handle }) => handle !== undefined && !ofSummaries.has(handle))
  if (withHandle.length + summaries.length === 0) return []
  const byId = new Map(items.map((item) => [item.id, item]))
  const originals = withHandle.flatMap(({ handle = '', itemId, rung, reason }): Original[] => {
    const item = byId.get(itemId)
    if (!item) return []
    const { kind, toolName } = item
    const text = originalText(item, mediaUrl)
    const leftOut = { itemId, rung, reason, ...(requestId !== undefined && { requestId }) }
    const why: ArchiveReason = rung === 'omitted' ? 'evicted' : 'masked'
    return [{ handle, text, kind, ...(toolName !== undefined && { toolName }), reason: whyOf(handle, why), leftOut }]
  })
  const lists = omissions.flatMap(({ section, handle }): Original[] => {
    const text = omissionText(items, { decisions }, section)
    return text === undefined ? [] : [{ handle, text, reason: 'evicted' }]
  })
  const urlOf = (item: Item): string => originalText(item, mediaUrl)
  const steps = summaries.length === 0 ? [] : stepNumbers(items)
  const turns = summaryOriginals(summaries, { items, steps, decisions, requestId, urlOf }).map(
    (original): Original => ({ ...original, reason: whyOf(original.handle, 'summarised') }),
  )
  return [...originals, ...lists, ...turns]
}

/** The text of an item; of media where its bytes are. */
export function originalText({ id, kind, text, media }: Item, mediaUrl?: MediaUrl): string {
  return kind === 'media' && text === '' ? (media?.url ?? mediaUrl?.(id) ?? '') : text
}
