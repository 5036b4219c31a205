import type { TokenVocabulary } from '../bpe/token-vocabulary.ts'
import tokens from './claude.json' with { type: 'json' }

/** The vocabulary that Anthropic has published, by which every Claude is counted. */
export const claude: TokenVocabulary = { id: 'claude', ...tokens }
