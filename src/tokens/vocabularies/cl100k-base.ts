import type { TokenVocabulary } from '../bpe/token-vocabulary.ts'
import tokens from './cl100k-base.json' with { type: 'json' }

/** The vocabulary of GPT-4, GPT-3.5 and Qwen. */
export const cl100kBase: TokenVocabulary = { id: 'cl100k_base', ...tokens }
