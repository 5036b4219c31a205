import type { TokenVocabulary } from '../bpe/token-vocabulary.ts'
import tokens from './o200k-base.json' with { type: 'json' }

/** The vocabulary of GPT-4o and all later models of OpenAI; others are estimated by it. */
export const o200kBase: TokenVocabulary = { id: 'o200k_base', ...tokens }
