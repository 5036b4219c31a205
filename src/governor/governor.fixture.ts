import { createHash } from 'node:crypto'
import { careful, createCompiler } from '../compiler/index.ts'
import type { CompileInput, CompileResult, Item } from '../core/index.ts'
import type { Workspace, WorkspaceCategory } from './workspace.ts'

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A word, a token. */
const tokenizer = { id: 'words', count: (text: string): number => text.split(/\s+/).filter(Boolean).length }

export function compile(given: Pick<CompileInput, 'items'> & Partial<CompileInput>): CompileResult {
  const usual = {
    budget: { windowTokens: 1_000 },
    policy: careful,
    layout: 'payload',
    frame: { request: 'Go.' },
  } as const
  return createCompiler({ tokenizer, hash: sha256 }).compile({ ...usual, ...given })
}

export function found(id: string, text: string, more: Partial<Item> = {}): Item {
  return { id, section: 'evidence', kind: 'evidence', text, provenance: { sourceId: id }, ...more }
}

/** A workspace of categories and their entries, each an id and its words. */
export function workspace(
  categories: Readonly<Record<string, readonly (readonly [id: string, text: string])[]>>,
  more: Partial<Workspace> = {},
): Workspace {
  const made = Object.entries(categories).map(([category, pairs]): WorkspaceCategory => {
    const entries = pairs.map(([id, text]) => ({
      id,
      contentHash: sha256(text),
      rung: 'full' as const,
      tokens: tokenizer.count(text),
      text,
    }))
    return { category, tier: 2, tokens: entries.reduce((sum, { tokens }) => sum + tokens, 0), entries }
  })
  return {
    schema: 'prehend.workspace/1',
    categories: made.filter(({ entries }) => entries.length > 0),
    totalTokens: made.reduce((sum, { tokens }) => sum + tokens, 0),
    reasons: [],
    ...more,
  }
}
