import type { Tokenizer } from '../core/index.ts'
import { bpeCounter } from './bpe/bpe-counter.ts'
import { heuristicTokenizer } from './heuristic-tokenizer.ts'
import { ranksOf } from './bpe/ranks.ts'
import { plainCl100k, plainClaude, plainO200k, splitCl100k, splitClaude, splitO200k } from './bpe/split.ts'
import { type TokenVocabulary, type VocabularyId, vocabularyIds } from './bpe/token-vocabulary.ts'
import { vocabularyOf } from './vocabulary-of.ts'

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
  const counter = id === 'heuristic' ? heuristicTokenizer.count : openers[id](vocabularyOf(id))
  counters.set(id, counter)
  return counter
}

const openers: { readonly [Id in VocabularyId]: (vocabulary: TokenVocabulary) => Count } = {
  o200k_base: (vocabulary) => bpeCounter({ ranks: ranksOf(vocabulary), split: splitO200k, plain: plainO200k }),
  cl100k_base: (vocabulary) => bpeCounter({ ranks: ranksOf(vocabulary), split: splitCl100k, plain: plainCl100k }),
  claude: (vocabulary) =>
    normalising(bpeCounter({ ranks: ranksOf(vocabulary), split: splitClaude, plain: plainClaude })),
}

/** The published Claude encoder sees text in compatibility form; ASCII is already in it. */
function normalising(count: Count): Count {
  return (text) => count(isAscii(text) ? text : text.normalize('NFKC'))
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7F]/.test(text)
}
