import { stepNumbers } from '../compiler/index.ts'
import { omissionText } from '../core/index.ts'
import type { Item, Manifest, SummaryRecord } from '../core/index.ts'
import type { Original } from '../stores/index.ts'

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
  { decisions, omissions = [], summaries = [] }: Pick<Manifest, 'decisions' | 'omissions' | 'summaries'>,
  { requestId, mediaUrl }: OriginalsOf = {},
): Original[] {
  const ofSummaries = new Set(summaries.map(({ handle }) => handle))
  const withHandle = decisions.filter(({ handle }) => handle !== undefined && !ofSummaries.has(handle))
  if (withHandle.length + summaries.length === 0) return []
  const byId = new Map(items.map((item) => [item.id, item]))
  const originals = withHandle.flatMap(({ handle = '', itemId, rung, reason }): Original[] => {
    const item = byId.get(itemId)
    if (!item) return []
    const { kind, toolName } = item
    const text = originalText(item, mediaUrl)
    const leftOut = { itemId, rung, reason, ...(requestId !== undefined && { requestId }) }
    return [{ handle, text, kind, ...(toolName !== undefined && { toolName }), leftOut }]
  })
  const lists = omissions.flatMap(({ section, handle }): Original[] => {
    const text = omissionText(items, { decisions }, section)
    return text === undefined ? [] : [{ handle, text }]
  })
  const steps = summaries.length === 0 ? [] : stepNumbers(items)
  const stepOf = new Map(items.map(({ id }, index) => [id, steps[index] ?? 0]))
  const turns = summaries.flatMap((summary): Original[] => {
    const decision = decisions.find(({ handle }) => handle === summary.handle)
    const leftOut = decision && { itemId: decision.itemId, rung: decision.rung, reason: decision.reason }
    const asked = requestId === undefined ? {} : { requestId }
    return [{ ...turnsOf(summary, byId, stepOf), ...(leftOut && { leftOut: { ...leftOut, ...asked } }) }]
  })
  return [...originals, ...lists, ...turns]
}

/** What was said, by whom, what was called and what came back, in its order. Calls and results have the numbers by which briefs name them. */
function turnsOf(
  { handle, itemIds }: SummaryRecord,
  byId: ReadonlyMap<string, Item>,
  stepOf: ReadonlyMap<string, number>,
): Original {
  const said = itemIds.flatMap((id): string[] => {
    const item = byId.get(id)
    if (item?.kind === 'text') return [`${item.role ?? 'user'}:\n${item.text}`]
    // Its bytes have no handle of their own here, and text cannot show them.
    if (item?.kind === 'media') return [`[${item.media?.type ?? 'image'}, not kept: call its tool again]`]
    const step = stepOf.get(id) ?? 0
    if (item?.kind === 'tool-call') return [`[step ${step}] call of ${item.toolName ?? 'tool'}:\n${item.text}`]
    return item?.kind === 'tool-result' ? [`[step ${step}] result:\n${item.text}`] : []
  })
  return { handle, text: said.join('\n\n'), kind: 'text' }
}

/** The text of an item; of media where its bytes are. */
export function originalText({ id, kind, text, media }: Item, mediaUrl?: MediaUrl): string {
  return kind === 'media' && text === '' ? (media?.url ?? mediaUrl?.(id) ?? '') : text
}
