import { createHash } from 'node:crypto'
import type { CompileInput, Item, Tokenizer } from '../core/index.ts'
import { createCompiler } from './create-compiler.ts'
import { careful } from './policy/policies.ts'

/** Words, runs of white space at line ends and single signs: enough to count, easy to check by eye. */
export const wordTokens: Tokenizer = {
  id: 'words',
  count: (text) => text.match(/[\p{L}\p{N}]+|\n+|[^\s\p{L}\p{N}]/gu)?.length ?? 0,
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

export const newCompiler = () => createCompiler({ tokenizer: wordTokens, hash: sha256, messageTokens: 0 })

/** `count` words that tell the item. */
export const words = (name: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `${name}${index}`).join(' ')

export const evidence = (id: string, tokens: number, fields: Partial<Item> = {}): Item => ({
  id,
  section: 'evidence',
  kind: 'opaque',
  text: words(id, tokens),
  provenance: { sourceId: id },
  scores: { relevance: 0.5 },
  ...fields,
})

export const memory = (id: string, tokens: number, fields: Partial<Item> = {}): Item => ({
  id,
  section: 'memory',
  kind: 'opaque',
  text: words(id, tokens),
  scores: { relevance: 0.5 },
  ...fields,
})

export const turn = (id: string, tokens: number, fields: Partial<Item> = {}): Item => ({
  id,
  section: 'history',
  kind: 'opaque',
  role: 'user',
  text: words(id, tokens),
  ...fields,
})

export const packInput = (
  items: readonly Item[],
  windowTokens: number,
  fields: Partial<CompileInput> = {},
): CompileInput => ({
  items,
  budget: { windowTokens },
  policy: { ...careful, reserveShare: 0 },
  layout: 'payload',
  frame: { request: 'Go on.' },
  ...fields,
})
