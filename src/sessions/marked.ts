import type { Codec } from '../codecs/index.ts'
import type { Exchange, Pack } from '../core/index.ts'
import { planBreakpoints } from '../providers/breakpoints/index.ts'
import type { ModelInfo } from '../tokens/index.ts'

/** Characters of a token, about: enough to tell a prefix that a provider caches from one that is too short for it. */
const charsPerToken = 4

/** The body of a request that no session has packed, marked for the provider's cache. */
export function marked(codec: Codec, exchange: Exchange, info: ModelInfo): string {
  const entries = exchange.conversation.items.map(({ id, section, text }) => {
    return { itemId: id, section, rung: 'full', text, tokens: Math.ceil(text.length / charsPerToken) } as const
  })
  const pack: Pack = { layout: 'messages', hash: '', entries, messages: [], breakpoints: [], tokens: 0 }
  const breakpoints = planBreakpoints({ exchange, pack, info })
  return breakpoints.length === 0 ? exchange.wire.body : codec.encode(exchange, { pack: { ...pack, breakpoints } })
}
