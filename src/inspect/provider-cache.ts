import { hash } from 'node:crypto'
import { cacheModel, costOf } from '../providers/index.ts'
import { plainCache, tokensOf } from './cache-bill.ts'
import type { CachePrices } from '../core/index.ts'
import type { CacheBlock, CacheKind } from '../providers/index.ts'
import type { BillingCache } from './cache-bill.ts'
import type { RenderedMessage } from './render.ts'

/** Price and cache rules that a replay can bill by. */
export interface BillingRules {
  readonly name: string
  /** What a strategy may know of them. */
  readonly prices: CachePrices
  openCache(): BillingCache
}

/** Lifetime of an entry that never ends; a number that JSON can carry. */
const foreverMs = Number.MAX_SAFE_INTEGER

/** The rule of thumb: leading messages that came again cost `read`, everything else `write`, with no minimum and no end. */
export function plainRules(read = 0.1, write = 1): BillingRules {
  const prices = { read, write, minTokens: 0, ttlMs: foreverMs }
  return { name: 'plain', prices, openCache: () => plainCache(prices) }
}

interface ProviderPrices {
  readonly kind: CacheKind
  readonly prices: CachePrices
}

/** As of 2026-11: the flagship of each provider, in multiples of its plain input price. */
const providers = {
  anthropic: { kind: 'anthropic', prices: { read: 0.1, write: 1.25, minTokens: 1024, ttlMs: 300_000 } },
  openai: { kind: 'openai-breakpoints', prices: { read: 0.1, write: 1.25, minTokens: 1024, ttlMs: 1_800_000 } },
  deepseek: { kind: 'deepseek', prices: { read: 0.033, write: 1, minTokens: 128, ttlMs: 14_400_000 } },
} as const satisfies Readonly<Record<string, ProviderPrices>>

export type BillingProvider = keyof typeof providers
export const billingProviders = Object.keys(providers) as readonly BillingProvider[]

/** The cache of a real provider, simulated; prices may be overridden. */
export function providerRules(name: BillingProvider, override: Partial<CachePrices> = {}): BillingRules {
  const prices: CachePrices = { ...providers[name].prices, ...override }
  return { name, prices, openCache: () => providerCache(providers[name].kind, prices) }
}

function providerCache(kind: CacheKind, prices: CachePrices): BillingCache {
  const model = cacheModel(kind)
  let previousEnd = 0
  return {
    bill(messages, nowMs) {
      const marks = new Set([openingEnd(messages), previousEnd, messages.length - 1])
      previousEnd = messages.length - 1
      const blocks = messages.map((message, index): CacheBlock => {
        const block = { hash: hashOf(message), tokens: message.tokens }
        return marks.has(index) ? { ...block, breakpointTtlMs: prices.ttlMs } : block
      })
      const usage = model.request({ blocks: kind === 'openai-breakpoints' ? unmarked(blocks) : blocks, key: '', nowMs })
      return { tokens: tokensOf(messages), cachedTokens: usage.cacheReadTokens ?? 0, cost: costOf(usage, prices) }
    },
  }
}

/** OpenAI marks the end of the latest message by itself. */
function unmarked(blocks: readonly CacheBlock[]): readonly CacheBlock[] {
  return blocks.map(({ hash: digest, tokens }) => ({ hash: digest, tokens }))
}

/** The last message before the first answer: what every request of the session begins with. */
function openingEnd(messages: readonly RenderedMessage[]): number {
  const answer = messages.findIndex((message) => message.role === 'assistant')
  return (answer < 0 ? messages.length : answer) - 1
}

const hashes = new WeakMap<RenderedMessage, string>()

function hashOf(message: RenderedMessage): string {
  let digest = hashes.get(message)
  if (digest === undefined) {
    digest = hash('sha256', `${message.role}\n${message.text}`, 'base64url')
    hashes.set(message, digest)
  }
  return digest
}
