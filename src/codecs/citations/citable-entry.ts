import type { Sentence } from './sentences.ts'

/** Something that a reply may have been written from. */
export interface CitableEntry {
  /** By which a citation names it. */
  readonly id: string
  readonly text: string
}

export interface KnownEntry extends CitableEntry {
  readonly sentences: readonly Sentence[]
  readonly folded: string
}

/** How much a sentence is like the one of an entry that is most like it. */
export type Similar = (
  sentence: Sentence,
  entry: KnownEntry,
  index: number,
) => { readonly confidence: number; readonly citedText: string } | undefined
