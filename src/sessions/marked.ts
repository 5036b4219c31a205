import type { Codec } from '../codecs/index.ts'
import { itemTokens } from '../core/index.ts'
import type { Exchange, Pack } from '../core/index.ts'
import { planBreakpoints } from '../providers/breakpoints/index.ts'
import { tokenizerFor } from '../tokens/index.ts'
import type { ModelCatalogue } from '../tokens/index.ts'

/** The body of a request that no session has packed, marked for its provider's cache. */
export function marked(codec: Codec, exchange: Exchange, catalogue: ModelCatalogue): string {
  const { model, items } = exchange.conversation
  const info = catalogue.info(model)
  if (info.cache.maxBreakpoints === 0) return exchange.wire.body
  const tokenizer = tokenizerFor(model, catalogue)
  const entries = items.map((item) => {
    const { id, section, text } = item
    return { itemId: id, section, rung: 'full', text, tokens: itemTokens(tokenizer, item) } as const
  })
  const pack: Pack = { layout: 'messages', hash: '', entries, messages: [], breakpoints: [], tokens: 0 }
  const breakpoints = planBreakpoints({ exchange, pack, info })
  return breakpoints.length === 0 ? exchange.wire.body : codec.encode(exchange, { pack: { ...pack, breakpoints } })
}
