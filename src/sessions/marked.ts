import type { Codec } from '../codecs/index.ts'
import { itemTokens } from '../core/index.ts'
import type { Pack, WireRequest } from '../core/index.ts'
import { planBreakpoints } from '../providers/breakpoints/index.ts'
import { tokenizerFor } from '../tokens/index.ts'
import type { ModelCatalogue } from '../tokens/index.ts'

export interface MarkedFor {
  readonly model: string
  readonly catalogue: ModelCatalogue
}

/** The body of a request that no session has packed, marked for the cache of the model's provider; read only where that takes marks. */
export function marked(codec: Codec, request: WireRequest, { model, catalogue }: MarkedFor): string {
  const info = catalogue.info(model)
  if (info.cache.maxBreakpoints === 0) return request.body
  const exchange = codec.decode(request)
  const tokenizer = tokenizerFor(model, catalogue)
  const entries = exchange.conversation.items.map((item) => {
    const { id, section, text } = item
    return { itemId: id, section, rung: 'full', text, tokens: itemTokens(tokenizer, item) } as const
  })
  const pack: Pack = { layout: 'messages', hash: '', entries, messages: [], breakpoints: [], tokens: 0 }
  const breakpoints = planBreakpoints({ exchange, pack, info })
  return breakpoints.length === 0 ? request.body : codec.encode(exchange, { pack: { ...pack, breakpoints } })
}
