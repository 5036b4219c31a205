import type { Item, Pack } from '../../core/index.ts'
import { shownRecipe } from '../../core/index.ts'
import type { ImageLibrary } from './image-library.ts'
import { makeMedia } from './make-media.ts'

/** What a pack shows of media, and what that is made of. */
export interface MakeShownOptions {
  /** What was compiled. */
  readonly items: readonly Item[]
  /** What `sharp` exports; without it recordings alone are made. */
  readonly images?: ImageLibrary
  /** Where the bytes of media are that have no `data:` URL, as one. */
  readonly mediaUrl?: (itemId: string) => string | undefined
}

/**
 * Makes what a pack shows of images and recordings: by item, as `data:` URLs, for `made` of `toRequest`. Rejects where something cannot be
 * made; compile again with its fingerprint or URL in `making.except`, and it is shown otherwise.
 *
 * ```ts
 * const made = await makeShown(pack, { items, images: sharp })
 * const { request } = toRequest(pack, { items, made, model: 'claude-sonnet-5' })
 * ```
 */
export async function makeShown(
  { entries }: Pick<Pack, 'entries'>,
  { items, images, mediaUrl }: MakeShownOptions,
): Promise<ReadonlyMap<string, string>> {
  const byId = new Map(items.map((item) => [item.id, item]))
  const made = entries.map(async ({ itemId, text }): Promise<readonly (readonly [string, string])[]> => {
    const item = byId.get(itemId)
    const recipe = item?.kind === 'media' && text !== '' ? shownRecipe(text) : undefined
    if (recipe === undefined) return []
    const url = mediaUrl?.(itemId) ?? item?.media?.url ?? ''
    return [[itemId, await makeMedia(url, recipe, images)]]
  })
  return new Map((await Promise.all(made)).flat())
}
