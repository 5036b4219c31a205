import { hash } from 'node:crypto'
import { cacheModel, costOf } from '../providers/index.ts'
import { tokensOf } from './cache-bill.ts'
import type { CachePrices } from '../core/index.ts'
import type { CacheBlock, CacheModel } from '../providers/index.ts'
import type { CacheRules } from '../tokens/index.ts'
import type { BillingCache } from './cache-bill.ts'
import type { RenderedMessage } from './render.ts'

type SimulatedKind = Exclude<CacheRules['kind'], 'none' | 'google-implicit'>

interface SimulatedRules {
  readonly kind: CacheRules['kind']
  readonly minTokens: number
}

const models: { readonly [Kind in SimulatedKind]: (minTokens: number, ttlMs: number) => CacheModel } = {
  'anthropic-breakpoints': (minTokens) => cacheModel('anthropic', { minTokens }),
  'openai-prefix': (minTokens, ttlMs) => cacheModel('openai', { minTokens, idleMs: ttlMs }),
  'openai-breakpoints': (minTokens, ttlMs) => cacheModel('openai-breakpoints', { minTokens, defaultTtlMs: ttlMs }),
  'deepseek-units': (_minTokens, ttlMs) => cacheModel('deepseek', { ttlMs }),
}

const takesMarkers: ReadonlySet<string> = new Set(['anthropic-breakpoints', 'openai-breakpoints'])

/** A provider's cache, fed with one block for every message. */
export function providerCache({ kind, minTokens }: SimulatedRules, prices: CachePrices): BillingCache {
  const model = models[kind as SimulatedKind](minTokens, prices.ttlMs)
  let previousEnd = 0
  return {
    bill(messages, nowMs) {
      const end = messages.length - 1
      const marks = takesMarkers.has(kind) ? new Set([openingEnd(messages), previousEnd, end]) : new Set()
      previousEnd = end
      const blocks = messages.map((message, index): CacheBlock => {
        const block = { hash: digestOf(message), tokens: message.tokens }
        return marks.has(index) ? { ...block, breakpointTtlMs: prices.ttlMs } : block
      })
      const usage = model.request({ blocks, key: '', nowMs })
      return { tokens: tokensOf(messages), cachedTokens: usage.cacheReadTokens ?? 0, cost: costOf(usage, prices) }
    },
  }
}

/** The last message before the first answer: what every request of the session begins with. */
function openingEnd(messages: readonly RenderedMessage[]): number {
  const answer = messages.findIndex((message) => message.role === 'assistant')
  return (answer < 0 ? messages.length : answer) - 1
}

const digests = new WeakMap<RenderedMessage, string>()

function digestOf(message: RenderedMessage): string {
  let digest = digests.get(message)
  if (digest === undefined) {
    digest = hash('sha256', `${message.role}\n${message.text}`, 'base64url')
    digests.set(message, digest)
  }
  return digest
}
