import type { MediaType } from './media.ts'

/** A part of an image, in its pixels from the upper left corner. */
export interface PixelRegion {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** What of the images of a tool is worth showing; of all that come where no tool is named. */
export interface ImageCrop extends PixelRegion {
  readonly tool?: string
}

/** How images are made smaller; what is made is made by whoever sends the request, from a library that he has. */
export interface ImagePolicy {
  /** An image that costs more is scaled down when it comes in, so that it costs no more than that with its note. */
  readonly mostTokens?: number
  /** No image is scaled below this on its shorter side, in pixels; 320 by default. */
  readonly leastSide?: number
  /** Parts that are shown in place of the whole; the first that lies within an image of its tool holds. */
  readonly crop?: readonly ImageCrop[]
  /**
   * Whether also images of tools are changed as they come in where a tool of the conversation takes places on them: a model that is
   * shown less of a screen points at other pixels. They are not by default.
   */
  readonly pointedAt?: boolean
}

export const soundEnds = ['beginning', 'end'] as const

/** How recordings are cut: WAV of plain samples, by its frames. */
export interface SoundPolicy {
  /** A recording that is longer is cut to this length as it comes in. */
  readonly mostMs: number
  /** Which of it is kept; the beginning by default. */
  readonly keep?: (typeof soundEnds)[number]
}

/** How pictures, recordings and files share a budget with words, and what they may become. */
export interface MediaPolicy {
  readonly images?: ImagePolicy
  readonly audio?: SoundPolicy
  /** From which fidelity on words that a caller gives stand in the place of media wherever they are cheaper, in [0, 1]; only for want of room by default. */
  readonly substituteFrom?: number
  /** What a token of each kind is worth beside a token of text; 1 where nothing is said. */
  readonly utility?: Readonly<Partial<Record<MediaType, number>>>
}

/** What whoever sends a request can make of media. */
export interface MediaMaking {
  readonly types: readonly MadeType[]
  /** Fingerprints, or URLs, of what it cannot. */
  readonly except?: readonly string[]
}

export const madeTypes = ['image', 'audio'] as const
/** The media that Prehend can make smaller. */
export type MadeType = (typeof madeTypes)[number]
