import type { Tokenizer } from '../core/index.ts'
import { modelInfo } from './catalogue/catalogue.ts'
import type { ModelInfo } from './catalogue/model-info.ts'
import { type EncodingId, encodingTokenizer } from './encoding.ts'
import { memoCounter } from './memo-counter.ts'
import { scaledTokenizer } from './scaled-tokenizer.ts'

const counters = new Map<EncodingId, Tokenizer>()
const tokenizers = new Map<string, Tokenizer>()

/** The tokenizer of a model, resolved once (C-007) and shared by all models that count alike. */
export function tokenizerFor(model: string): Tokenizer {
  return tokenizerOf(modelInfo(model))
}

/** The same for a model whose facts the caller has, overrides included. */
export function tokenizerOf({ encoding, countFactor }: Pick<ModelInfo, 'encoding' | 'countFactor'>): Tokenizer {
  const key = `${encoding}*${countFactor}`
  const known = tokenizers.get(key)
  if (known !== undefined) return known
  const tokenizer = scaledTokenizer(rememberingCounter(encoding), countFactor)
  tokenizers.set(key, tokenizer)
  return tokenizer
}

/** Models that differ only in their factor share what is remembered. */
function rememberingCounter(encoding: EncodingId): Tokenizer {
  const known = counters.get(encoding)
  if (known !== undefined) return known
  const counter = memoCounter(encodingTokenizer(encoding))
  counters.set(encoding, counter)
  return counter
}
