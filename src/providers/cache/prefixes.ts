import { hash } from 'node:crypto'
import type { CacheBlock } from './rules.ts'

/** The request up to and including one block. */
export interface Prefix {
  readonly hash: string
  readonly tokens: number
  readonly block: CacheBlock
}

/** Every prefix of a request, shortest first. The key is part of every hash, so that keys never meet. */
export function prefixesOf(key: string, blocks: readonly CacheBlock[]): readonly Prefix[] {
  let chain = hash('sha256', key, 'base64url')
  let tokens = 0
  return blocks.map((block) => {
    chain = hash('sha256', `${chain} ${block.hash}`, 'base64url')
    tokens += block.tokens
    return { hash: chain, tokens, block }
  })
}

export function totalTokens(prefixes: readonly Prefix[]): number {
  return prefixes.at(-1)?.tokens ?? 0
}
