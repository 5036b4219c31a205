import type { Tokenizer } from '../core/index.ts'
import { bpeCounter } from './bpe/bpe-counter.ts'
import { ranksOf } from './bpe/ranks.ts'
import { plainCl100k, plainClaude, plainO200k, splitCl100k, splitClaude, splitO200k } from './bpe/split.ts'
import type { TokenVocabulary, VocabularyId } from './bpe/token-vocabulary.ts'

type Count = (text: string) => number

/** Counts texts by a vocabulary of `prehend/vocabularies/…`. The vocabulary is read at the first count. */
export function vocabularyTokenizer(vocabulary: TokenVocabulary): Tokenizer {
  let count: Count | undefined
  return { id: vocabulary.id, count: (text) => (count ??= vocabularyCounter(vocabulary))(text) }
}

export function vocabularyCounter(vocabulary: TokenVocabulary): Count {
  return openers[vocabulary.id](vocabulary)
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
