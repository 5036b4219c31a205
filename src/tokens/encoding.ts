import type { Tokenizer } from '../core/index.ts'
import { vocabularyIds } from './bpe/token-vocabulary.ts'
import { heuristicTokenizer } from './heuristic-tokenizer.ts'
import { vocabularyOf } from './vocabulary-of.ts'
import { vocabularyCounter } from './vocabulary-tokenizer.ts'

export const encodingIds = [...vocabularyIds, 'heuristic'] as const
/** A vocabulary, or the estimate that needs none. */
export type EncodingId = (typeof encodingIds)[number]

export function isEncodingId(id: string): id is EncodingId {
  return (encodingIds as readonly string[]).includes(id)
}

type Count = (text: string) => number

const counters = new Map<EncodingId, Count>()

/** The tokenizer of one encoding. Its vocabulary is read at the first count and then shared by the process. */
export function encodingTokenizer(id: EncodingId): Tokenizer {
  return { id, count: (text) => counterOf(id)(text) }
}

function counterOf(id: EncodingId): Count {
  const known = counters.get(id)
  if (known !== undefined) return known
  const counter = id === 'heuristic' ? heuristicTokenizer.count : vocabularyCounter(vocabularyOf(id))
  counters.set(id, counter)
  return counter
}
