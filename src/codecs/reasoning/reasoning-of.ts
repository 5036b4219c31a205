import type { Dialect, JsonObject, ReasoningChain } from '../../core/index.ts'
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
export function reasoningOf({ dialect, body }: ReasoningSource): ReasoningChain {
  const codec = dialects.for(dialect)
  const reply = codec.decodeReply(typeof body === 'string' ? body : JSON.stringify(body))
  const message = reply.message === undefined ? undefined : placesIn(reply.message)
  return reasoningChain(codec.signs.provider, message ? codec.replyParts(message) : [], reply)
}
