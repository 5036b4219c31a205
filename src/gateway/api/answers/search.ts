import type { Item } from '../../../core/index.ts'
import type { Store } from '../../../stores/index.ts'
import type { Asked } from '../route.ts'
import type { searchQuery } from '../routes/overview-routes.ts'

/** Names that hold or begin with a text, and items of a session's last request that have it. */
export async function answerSearch(store: Store, { tenant, query }: Asked<typeof searchQuery>) {
  const { q, session, limit } = query
  const found = await store.find(tenant, q, limit)
  if (session === undefined) return { ...found, items: [] }
  const [newest] = await store.receipts(tenant, { session, limit: 1 })
  const receipt = newest && (await store.receipt(tenant, newest.requestId))
  const sought = q.toLowerCase()
  const items = (receipt?.input?.items ?? []).filter((item) => placeIn(item, sought) !== undefined).slice(0, limit)
  return {
    ...found,
    items: items.map((item) => ({
      session,
      requestId: receipt?.requestId ?? '',
      itemId: item.id,
      toolName: item.toolName ?? null,
      excerpt: excerptOf(item.text, placeIn(item, sought) ?? 0),
    })),
  }
}

/** Where in an item's text something is found; 0 where its name has it. */
function placeIn({ id, toolName = '', text }: Item, sought: string): number | undefined {
  const at = text.toLowerCase().indexOf(sought)
  if (at >= 0) return at
  return `${id}\n${toolName}`.toLowerCase().includes(sought) ? 0 : undefined
}

const aroundChars = 80

function excerptOf(text: string, at: number): string {
  const from = Math.max(0, at - aroundChars)
  return text.slice(from, at + 2 * aroundChars).toWellFormed()
}
