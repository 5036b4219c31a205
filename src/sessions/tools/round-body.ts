import type { Codec } from '../../codecs/index.ts'
import type { WireExchange, Pack, ToolDefinition } from '../../core/index.ts'

export interface Round {
  /** Of the turn's own request. */
  readonly pack: Pack
  /** Ours that it offers. */
  readonly tools: readonly ToolDefinition[]
  /** Raw JSON of all that hidden rounds have said up to it, in order. */
  readonly messages: readonly string[]
  /** What was made of media that the pack shows so. */
  readonly made?: ReadonlyMap<string, string> | undefined
}

/** The body by which a turn is asked again: its own request, and behind it what its client does not see. */
export function roundBody(codec: Codec, exchange: WireExchange, { pack, tools, messages, made }: Round): string {
  const afterId = exchange.conversation.messages.at(-1)?.id ?? ''
  return codec.encode(exchange, {
    pack,
    ...(tools.length > 0 && { hiddenTools: tools }),
    ...(made && { made }),
    hidden: [{ afterId, messages }],
  })
}
