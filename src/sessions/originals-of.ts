import { omissionText } from '../core/index.ts'
import type { Item, Manifest } from '../core/index.ts'
import type { Original } from '../stores/index.ts'

/** What the handles of what was decided bring back: items as they came, and lists of what a payload does not show. */
export function originalsOf(
  items: readonly Item[],
  { decisions, omissions = [] }: Pick<Manifest, 'decisions' | 'omissions'>,
  requestId?: string,
): Original[] {
  const withHandle = decisions.filter(({ handle }) => handle !== undefined)
  if (withHandle.length === 0) return []
  const byId = new Map(items.map((item) => [item.id, item]))
  const originals = withHandle.flatMap(({ handle = '', itemId, rung, reason }): Original[] => {
    const item = byId.get(itemId)
    if (!item) return []
    const { text, kind, toolName } = item
    const leftOut = { itemId, rung, reason, ...(requestId !== undefined && { requestId }) }
    return [{ handle, text, kind, ...(toolName !== undefined && { toolName }), leftOut }]
  })
  const lists = omissions.flatMap(({ section, handle }): Original[] => {
    const text = omissionText(items, { decisions }, section)
    return text === undefined ? [] : [{ handle, text }]
  })
  return [...originals, ...lists]
}
