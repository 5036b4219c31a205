import type { Item, SummaryRecord } from '../core/index.ts'
import type { Original } from '../stores/index.ts'

/** What the handles of what is shown bring back: an item, or the turns that a summary stands for. */
export function originalsOf(
  items: readonly Item[],
  shown: readonly { readonly itemId: string; readonly handle?: string }[],
  summaries: readonly SummaryRecord[] = [],
): Original[] {
  const ofSummaries = new Set(summaries.map(({ handle }) => handle))
  const withHandle = shown.filter(({ handle }) => handle !== undefined && !ofSummaries.has(handle))
  if (withHandle.length === 0 && summaries.length === 0) return []
  const byId = new Map(items.map((item) => [item.id, item]))
  const originals = withHandle.flatMap(({ handle = '', itemId }): Original[] => {
    const item = byId.get(itemId)
    if (!item) return []
    const { text, kind, toolName } = item
    return [{ handle, text, kind, ...(toolName !== undefined && { toolName }) }]
  })
  return [...originals, ...summaries.map((summary) => turnsOf(summary, byId))]
}

/** What was said, by whom, in its order. */
function turnsOf({ handle, itemIds }: SummaryRecord, byId: ReadonlyMap<string, Item>): Original {
  const said = itemIds.flatMap((id): string[] => {
    const item = byId.get(id)
    return item?.kind === 'text' ? [`${item.role ?? 'user'}:\n${item.text}`] : []
  })
  return { handle, text: said.join('\n\n'), kind: 'text' }
}
