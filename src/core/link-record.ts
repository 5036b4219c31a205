import type { LinkMethod, Modality } from './item-links.ts'
import type { Rung } from './rendition.ts'

/** One end of a link, and what became of it. */
export interface LinkEnd {
  readonly itemId: string
  /** By which a payload names it, such as `EVIDENCE_IMG_1`: its section, its modality, and its number among items of both. */
  readonly label: string
  readonly modality: Modality
  readonly rung: Rung
  /** Brings it back; absent where it stands as it came, and where there is nothing to bring. */
  readonly handle?: string
}

/** A link of two items, one of which at least is in the pack. */
export interface LinkRecord {
  /** What was made. */
  readonly from: LinkEnd
  /** What it was made of. */
  readonly to: LinkEnd
  readonly method: LinkMethod
  readonly confidence?: number
}
