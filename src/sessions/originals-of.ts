import type { Item } from '../core/index.ts'
import type { Original } from '../stores/index.ts'

/** Where the bytes of a media item are: `mediaUrl` of the codec that read it; those that have a URL need none. */
export type MediaUrl = (itemId: string) => string | undefined

/** What the handles of what is shown bring back; of media its URL, or its bytes as a `data:` URL. */
export function originalsOf(
  items: readonly Item[],
  shown: readonly { readonly itemId: string; readonly handle?: string }[],
  mediaUrl?: MediaUrl,
): Original[] {
  const withHandle = shown.filter(({ handle }) => handle !== undefined)
  if (withHandle.length === 0) return []
  const byId = new Map(items.map((item) => [item.id, item]))
  return withHandle.flatMap(({ handle = '', itemId }) => {
    const item = byId.get(itemId)
    if (!item) return []
    const { kind, toolName } = item
    return [{ handle, text: originalText(item, mediaUrl), kind, ...(toolName !== undefined && { toolName }) }]
  })
}

/** The text of an item; of media where its bytes are. */
export function originalText({ id, kind, text, media }: Item, mediaUrl?: MediaUrl): string {
  return kind === 'media' && text === '' ? (media?.url ?? mediaUrl?.(id) ?? '') : text
}
