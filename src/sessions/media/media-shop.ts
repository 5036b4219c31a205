import type { Item, MadeType, MediaMaking, MediaRecipe, PackEntry, Policy } from '../../core/index.ts'
import { recipeForm, shownRecipe } from '../../core/index.ts'
import { sha256 } from '../../host/index.ts'
import type { Scope, Store } from '../../stores/index.ts'
import { timely } from '../within-deadline.ts'
import type { ImageLibrary } from './image-library.ts'
import { makeMedia } from './make-media.ts'

/** Something that a pack shows and that has to be made. */
export interface MediaOrder {
  readonly itemId: string
  /** Tells its original. */
  readonly fingerprint: string
  readonly recipe: MediaRecipe
  /** The same for the same original and recipe: under it the store keeps what was made. */
  readonly name: string
}

/** Makes what packs show of media, and keeps it, so that the same bytes go out again. */
export interface MediaShop {
  /** What can be made of the media of a conversation. */
  makingOf(items: readonly Item[], policy: Policy): MediaMaking | undefined
  /** What was made before, as a `data:` URL. */
  made(name: string): string | undefined
  /** Makes what was not; what cannot be made is not offered again. Never rejects. */
  make(asked: AskedMedia): Promise<void>
}

export interface AskedMedia {
  readonly scope: Scope
  readonly orders: readonly MediaOrder[]
  /** Where the bytes of an item are, as a `data:` URL. */
  mediaUrl(itemId: string): string | undefined
  failed(error: unknown): void
}

export interface ShopParts {
  readonly images?: ImageLibrary | undefined
  readonly store: Pick<Store, 'read'>
  /** How long making may take; what takes longer is shown whole. */
  readonly limitMs: number
  /** Kept in memory, in characters. */
  readonly mostChars?: number
}

const usualChars = 64 * 1024 * 1024
const mostFailed = 1000

export function mediaShop({ images, store, limitMs, mostChars = usualChars }: ShopParts): MediaShop {
  const kept = keptUpTo(mostChars)
  const failed = new Set<string>()
  const types: readonly MadeType[] = images === undefined ? ['audio'] : ['image', 'audio']
  const oneMade = async ({ scope, mediaUrl }: AskedMedia, { itemId, recipe, name }: MediaOrder): Promise<void> => {
    const before = kept.get(name) ?? (await store.read('made-media').get(scope.tenant, name))?.value
    kept.put(name, before ?? (await makeMedia(mediaUrl(itemId) ?? '', recipe, images)))
  }
  return {
    makingOf(items, { media, overrides }) {
      if (media === undefined && overrides === undefined) return undefined
      const except = items.flatMap(({ media: { fingerprint } = { fingerprint: undefined } }) =>
        fingerprint !== undefined && failed.has(fingerprint) ? [fingerprint] : [],
      )
      return { types, ...(except.length > 0 && { except: [...new Set(except)] }) }
    },
    made: (name) => kept.get(name),
    async make(asked) {
      await Promise.all(
        asked.orders.map(async (order) => {
          const outcome = await timely(oneMade(asked, order), limitMs)
          if (outcome.kind === 'done') return
          if (failed.size >= mostFailed) failed.clear()
          failed.add(order.fingerprint)
          asked.failed(outcome.error)
        }),
      )
    },
  }
}

/** What has to be made for the entries of a pack. */
export function mediaOrders(entries: readonly PackEntry[], items: readonly Item[]): readonly MediaOrder[] {
  const shown = new Map(entries.flatMap(({ itemId, text }) => (text === '' ? [] : [[itemId, text] as const])))
  return items.flatMap(({ id, kind, media }): MediaOrder[] => {
    const recipe = kind === 'media' ? shownRecipe(shown.get(id) ?? '') : undefined
    const fingerprint = media?.fingerprint
    if (recipe === undefined || fingerprint === undefined) return []
    return [{ itemId: id, fingerprint, recipe, name: nameOf(fingerprint, recipe) }]
  })
}

function nameOf(fingerprint: string, recipe: MediaRecipe): string {
  return sha256(`${fingerprint}\n${recipeForm(recipe)}`).slice(0, 32)
}

interface Kept {
  get(name: string): string | undefined
  put(name: string, url: string): void
}

/** The newest, up to so many characters. */
function keptUpTo(mostChars: number): Kept {
  const urls = new Map<string, string>()
  let chars = 0
  return {
    get(name) {
      const url = urls.get(name)
      if (url !== undefined) {
        urls.delete(name)
        urls.set(name, url)
      }
      return url
    },
    put(name, url) {
      if (urls.has(name)) return
      urls.set(name, url)
      chars += url.length
      for (const [oldest, { length }] of urls) {
        if (chars <= mostChars || urls.size === 1) break
        urls.delete(oldest)
        chars -= length
      }
    },
  }
}
