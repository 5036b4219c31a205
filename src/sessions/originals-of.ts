import type { Item } from '../core/index.ts'
import type { Original } from '../stores/index.ts'

/** What the handles of what is shown bring back. */
export function originalsOf(
  items: readonly Item[],
  shown: readonly { readonly itemId: string; readonly handle?: string }[],
): Original[] {
  const withHandle = shown.filter(({ handle }) => handle !== undefined)
  if (withHandle.length === 0) return []
  const byId = new Map(items.map((item) => [item.id, item]))
  return withHandle.flatMap(({ handle = '', itemId }) => {
    const item = byId.get(itemId)
    if (!item) return []
    const { text, kind, toolName } = item
    return [{ handle, text, kind, ...(toolName !== undefined && { toolName }) }]
  })
}
