import type { Dialect, JsonObject, ReasoningChain } from '../../core/index.ts'
import { jsonTextOf, shape } from '../../core/index.ts'
import { replySourceShape } from '../citations/citations-of.ts'
import { dialects } from '../dialects.ts'
import { placesIn } from '../reply-body.ts'
import { reasoningChain } from './reasoning-chain.ts'

/** A whole reply of a provider. */
export interface ReasoningSource {
  readonly dialect: Dialect
  /** As text, which keeps the provider's blocks to the byte, or parsed. */
  readonly body: string | JsonObject
}

/**
 * The reasoning of a reply in one form for all providers: `<think>` tags, `reasoning_content`, OpenRouter's details, thinking
 * blocks, reasoning items and thoughts. Throws `upstream-broken` where the body is no reply of the dialect, `invalid-input` where there is
 * no such dialect.
 */
export function reasoningOf(source: ReasoningSource): ReasoningChain {
  shape.check(replySourceShape, source, 'source')
  const { dialect, body } = source
  const codec = dialects.for(dialect)
  const reply = codec.decodeReply(typeof body === 'string' ? body : jsonTextOf(body, 'source.body'))
  const message = reply.message === undefined ? undefined : placesIn(reply.message)
  return reasoningChain(codec.signs.provider, message ? codec.replyParts(message) : [], reply)
}
