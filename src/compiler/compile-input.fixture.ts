import { createHash } from 'node:crypto'
import type { CompileInput, CompileResult, Item } from '../core/index.ts'
import { createCompiler } from './create-compiler.ts'
import { careful } from './policy/policies.ts'

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Words and signs: cheap, and the tokens of a text are those of its pieces. */
export const wordTokenizer = {
  id: 'words',
  count: (text: string): number => text.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}\s]/gu)?.length ?? 0,
}

/** Compiles with a compiler that remembers nothing from before. */
export function compile(given: CompileInput): CompileResult {
  return createCompiler({ tokenizer: wordTokenizer, hash: sha256 }).compile(given)
}

export const request = 'Which change broke the build?\n~~~\nQuote it "exactly".'

/** An input of layout `payload` in which everything fits, with changes. */
export function input(changes: Partial<CompileInput> = {}): CompileInput {
  return {
    items: [],
    budget: { windowTokens: 10_000 },
    policy: careful,
    layout: 'payload',
    frame: { request },
    handleKey: 'key',
    rehydration: true,
    ...changes,
  }
}

/** As many words as asked for, all different. */
export function words(count: number, name = 'word'): string {
  return Array.from({ length: count }, (_, index) => `${name}${index}`).join(' ')
}

export function evidence(id: string, text: string, more: Partial<Item> = {}): Item {
  return { id, section: 'evidence', kind: 'evidence', text, provenance: { sourceId: id }, ...more }
}

export function itemOf(section: string, id: string, text: string, more: Partial<Item> = {}): Item {
  return { id, section, kind: section === 'memory' ? 'memory' : 'text', text, ...more }
}
