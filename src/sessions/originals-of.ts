import type { Item, ManifestDecision } from '../core/index.ts'
import type { Original } from '../stores/index.ts'

/** What the handles of what was decided bring back. */
export function originalsOf(
  items: readonly Item[],
  decisions: readonly ManifestDecision[],
  requestId?: string,
): Original[] {
  const withHandle = decisions.filter(({ handle }) => handle !== undefined)
  if (withHandle.length === 0) return []
  const byId = new Map(items.map((item) => [item.id, item]))
  return withHandle.flatMap(({ handle = '', itemId, rung, reason }) => {
    const item = byId.get(itemId)
    if (!item) return []
    const { text, kind, toolName } = item
    const leftOut = { itemId, rung, reason, ...(requestId !== undefined && { requestId }) }
    return [{ handle, text, kind, ...(toolName !== undefined && { toolName }), leftOut }]
  })
}
