import type { MediaType } from './media.ts'
import { mediaTypes, substituteMethods } from './media.ts'

/** What an item is to be looked at as. */
export const modalities = ['text', ...mediaTypes] as const
/** The kind of content that an item holds. */
export type Modality = 'text' | MediaType

export const linkMethods = [...substituteMethods, 'crop', 'frame', 'excerpt', 'rendering'] as const
/** How one item was made of another: its words or figures, a part of it, or a picture of it. */
export type LinkMethod = (typeof linkMethods)[number]

/** Says of an item what it was made of. Both are items of one compile, of any modality. */
export interface ItemLink {
  /** Of the item that it was made of. */
  readonly itemId: string
  readonly method: LinkMethod
  /** How sure the method is of what it made, in [0, 1]. */
  readonly confidence?: number
}

/** An item without media is text. */
export function modalityOf(item: { readonly kind: string; readonly media?: { readonly type: MediaType } }): Modality {
  return item.kind === 'media' ? (item.media?.type ?? 'image') : 'text'
}
