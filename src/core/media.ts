export const mediaTypes = ['image', 'audio', 'video', 'document'] as const
/** The kinds of media that an item can hold. */
export type MediaType = (typeof mediaTypes)[number]

export const mediaDetails = ['low', 'high', 'original', 'auto'] as const
/** How closely a model is to look at an image. */
export type MediaDetail = (typeof mediaDetails)[number]

/** A picture, a recording or a file itself. */
export interface MediaContent {
  readonly type: MediaType
  /** Where the provider fetches it, or its bytes as a `data:` URL. */
  readonly url: string
}

/** What is known of a picture, a recording or a file beside its bytes. What is absent is not known, never 0. */
export interface Media {
  readonly type: MediaType
  readonly mimeType?: string
  /** In pixels. */
  readonly width?: number
  readonly height?: number
  readonly durationMs?: number
  /** Of a document. */
  readonly pages?: number
  readonly sizeBytes?: number
  readonly detail?: MediaDetail
  /** Where the provider fetches it; absent where the bytes stand in the request. */
  readonly url?: string
  /** Tells its bytes from others'; given where they stand in the request. */
  readonly fingerprint?: string
  /** Of an image: the part of it that is worth showing, as `x`, `y`, width and height in pixels. */
  readonly region?: readonly [x: number, y: number, width: number, height: number]
  /** What says in words what it shows or holds. */
  readonly substitutes?: readonly MediaSubstitute[]
}

export const substituteMethods = ['transcript', 'ocr', 'caption', 'aggregate'] as const
/** How words were made of media: its speech or its writing, what it shows, or figures of what it holds. */
export type SubstituteMethod = (typeof substituteMethods)[number]

/** Words that can stand in the place of media. */
export interface MediaSubstitute {
  readonly method: SubstituteMethod
  readonly text: string
  /** Share of the original that a reader still has, in [0, 1]. */
  readonly fidelity: number
  /** How sure the method is of its words, in [0, 1]. */
  readonly confidence?: number
}
