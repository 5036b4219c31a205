import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Tokenizer } from '../core/index.ts'
import { bpeCounter } from './bpe/bpe-counter.ts'
import { heuristicTokenizer } from './heuristic-tokenizer.ts'
import { readRankFile } from './bpe/read-rank-file.ts'
import { type Split, splitCl100k, splitClaude, splitO200k } from './bpe/split.ts'
import { readClaudeVocabulary } from './bpe/read-claude-vocabulary.ts'
import { buildVocabulary, type Vocabulary } from './bpe/vocabulary.ts'

export const encodingIds = ['o200k_base', 'cl100k_base', 'claude', 'heuristic'] as const
/** A vocabulary, or the estimate that needs none. */
export type EncodingId = (typeof encodingIds)[number]

export function isEncodingId(id: string): id is EncodingId {
  return (encodingIds as readonly string[]).includes(id)
}

type Count = (text: string) => number

const require = createRequire(import.meta.url)
const counters = new Map<EncodingId, Count>()

/** The tokenizer of one encoding. Its vocabulary is read at the first count and then shared by the process. */
export function encodingTokenizer(id: EncodingId): Tokenizer {
  return { id, count: (text) => counterOf(id)(text) }
}

function counterOf(id: EncodingId): Count {
  const known = counters.get(id)
  if (known !== undefined) return known
  const counter = loaders[id]()
  counters.set(id, counter)
  return counter
}

/** Where the vocabularies are; throws where they are not installed. */
const sources = {
  o200k_base: () => require.resolve('gpt-tokenizer/data/o200k_base.tiktoken'),
  cl100k_base: () => require.resolve('gpt-tokenizer/data/cl100k_base.tiktoken'),
  claude: () => require.resolve('ai-tokenizer/encoding/claude'),
  heuristic: () => '',
} as const satisfies { readonly [Id in EncodingId]: () => string }

const found = new Map<EncodingId, boolean>()

/** Whether what an encoding needs is installed; the estimate needs nothing. */
export function hasVocabulary(id: EncodingId): boolean {
  const known = found.get(id) ?? succeeds(sources[id])
  found.set(id, known)
  return known
}

function succeeds(attempt: () => unknown): boolean {
  try {
    attempt()
    return true
  } catch {
    return false
  }
}

const loaders: { readonly [Id in EncodingId]: () => Count } = {
  o200k_base: () => fromRankFile(sources.o200k_base(), splitO200k),
  cl100k_base: () => fromRankFile(sources.cl100k_base(), splitCl100k),
  claude: () => normalising(bpeCounter({ vocabulary: claudeVocabulary(), split: splitClaude })),
  heuristic: () => heuristicTokenizer.count,
}

function fromRankFile(path: string, split: Split): Count {
  return bpeCounter({ vocabulary: buildVocabulary(readRankFile(readFileSync(path))), split })
}

function claudeVocabulary(): Vocabulary {
  return readClaudeVocabulary(require(sources.claude()))
}

/** The published Claude encoder sees text in compatibility form; ASCII is already in it. */
function normalising(count: Count): Count {
  return (text) => count(isAscii(text) ? text : text.normalize('NFKC'))
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7F]/.test(text)
}
