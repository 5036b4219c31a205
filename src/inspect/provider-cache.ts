import { hash } from 'node:crypto'
import { cacheModelFor, costOf } from '../providers/index.ts'
import { sharedMessages, tokensOf } from './cache-bill.ts'
import type { CachePrices } from '../core/index.ts'
import { perObject } from '../core/index.ts'
import type { CacheBlock } from '../providers/index.ts'
import type { CacheRules } from '../tokens/index.ts'
import type { BillingCache } from './cache-bill.ts'
import type { RenderedMessage } from './render.ts'

/** A provider's cache, fed with one block for every message; undefined for kinds that are not simulated. */
export function providerCache(rules: CacheRules, prices: CachePrices): BillingCache | undefined {
  const model = cacheModelFor(rules)
  if (model === undefined) return undefined
  let previous: readonly RenderedMessage[] = []
  let ends: readonly number[] = []
  return {
    bill(messages, nowMs) {
      const shared = sharedMessages(previous, messages)
      ends = ends.filter((end) => end < shared)
      const marks = new Set(rules.maxBreakpoints === 0 ? [] : breakpoints(messages, shared, ends))
      previous = messages
      ends = [...ends, messages.length - 1]
      const blocks = messages.map((message, index): CacheBlock => {
        const block = { hash: digestOf(message), tokens: message.tokens }
        return marks.has(index) ? { ...block, breakpointTtlMs: prices.ttlMs } : block
      })
      const usage = model.request({ blocks, key: '', nowMs })
      return { tokens: tokensOf(messages), cachedTokens: usage.cacheReadTokens ?? 0, cost: costOf(usage, prices) }
    },
  }
}

/** As a good client places them: after the opening, where an earlier request ended that still holds, and at the end. */
function breakpoints(messages: readonly RenderedMessage[], shared: number, ends: readonly number[]): readonly number[] {
  return [openingEnd(messages), ends.at(-1) ?? shared - 1, shared - 1, messages.length - 1]
}

/** The last message before the first answer: what every request of the session begins with. */
function openingEnd(messages: readonly RenderedMessage[]): number {
  const answer = messages.findIndex((message) => message.role === 'assistant')
  return (answer < 0 ? messages.length : answer) - 1
}

const digestOf = perObject(({ role, text }: RenderedMessage) => hash('sha256', `${role}\n${text}`, 'base64url'))
