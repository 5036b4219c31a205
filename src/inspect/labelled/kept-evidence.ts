import type { LabelledPassage, LabelledQuestion } from './labelled-set.ts'
import type { Shown } from './pack-passages.ts'

/** What is left of one question's evidence; shares from 0 to 1. */
export interface KeptEvidence {
  /** Of its passages, those that stand whole. */
  readonly passages: number
  /** The same by characters: a remark of one word is as much a passage as a speech. */
  readonly characters: number
  /** 1 where every passage does. */
  readonly all: number
  /** Of its quotes; absent where it has none. */
  readonly quotes?: number
  readonly tokens: number
}

export function keptEvidence(
  { evidence, quotes }: LabelledQuestion,
  passages: readonly LabelledPassage[],
  shown: Shown,
): KeptEvidence {
  let whole = 0
  let characters = 0
  let allCharacters = 0
  for (const at of evidence) {
    const length = passages[at]?.text.length ?? 0
    allCharacters += length
    if (!shown.isWhole(at)) continue
    whole += 1
    characters += length
  }
  const kept = {
    passages: whole / evidence.length,
    characters: allCharacters === 0 ? 0 : characters / allCharacters,
    all: whole === evidence.length ? 1 : 0,
    tokens: shown.tokens,
  }
  if (quotes.length === 0) return kept
  return { ...kept, quotes: quotes.filter((quote) => shown.hasQuote(quote)).length / quotes.length }
}
