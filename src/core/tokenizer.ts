import type { Item } from './item.ts'
import type { Media } from './media.ts'
import { mediaMade, shownRecipe } from './shown-media.ts'

/** Counts tokens; the only way anything is measured. The same again, the same count; never throws. */
export interface Tokenizer {
  /** The same for tokenizers that count alike. */
  readonly id: string
  /** The tokens of a text. */
  count(text: string): number
  /** A tool's definition, given as it stands on the wire; absent where its provider shows it to the model as it was written. */
  countTool?(definition: string): number
  /** A picture, a recording or a file; absent where nothing is known of them. */
  countMedia?(media: Media): number
}

const anyImage: Media = { type: 'image' }

/** Tokens of an item that is shown as `text`: by its own word, or as its provider renders what is of its kind. */
export function itemTokens(tokenizer: Omit<Tokenizer, 'id'>, item: Item, text: string = item.text): number {
  if (item.tokens !== undefined && text === item.text) return item.tokens
  if (item.kind === 'tool-schema' && tokenizer.countTool !== undefined) return tokenizer.countTool(text)
  if (item.kind === 'media' && text === '' && tokenizer.countMedia !== undefined)
    return tokenizer.countMedia(item.media ?? anyImage)
  return tokenizer.count(text) + madeTokens(tokenizer, item, text)
}

/**
 * What is made of an item of media and stands beside the words that tell of it; 0 where words are all that is shown. Who cannot count media takes
 * it for as dear as the original.
 */
export function madeTokens(tokenizer: Pick<Tokenizer, 'countMedia'>, item: Item, text: string): number {
  const { kind, media, tokens = 0 } = item
  const recipe = kind === 'media' && media !== undefined && text !== '' ? shownRecipe(text) : undefined
  if (recipe === undefined || media === undefined) return 0
  return tokenizer.countMedia?.(mediaMade(media, recipe)) ?? tokens
}

/** Digest of a text as lower-case hexadecimal; SHA-256 wherever the result is published. */
export type Hasher = (text: string) => string
