import type { JsonObject, JsonValue } from '../../../core/index.ts'
import type { CacheBlock } from '../../cache/rules.ts'
import type { RenderedRequest, SimulatedCall } from '../dialect.ts'
import { objectsOf } from '../read-json.ts'
import { digest } from '../text-blocks.ts'
import { contentParts } from './message.ts'
import { messageBlocks, renderOpenai } from './render.ts'

const fiveMinutesMs = 300_000

/** Whether a model is cached where `cache_control` marks it, as Alibaba's are. */
export function takesMarks({ model }: SimulatedCall): boolean {
  return model.info.cache.kind === 'anthropic-breakpoints'
}

/** The request of such a model: nothing is cached unasked, and a lookup goes back by parts of messages. */
export function renderMarked(call: SimulatedCall): RenderedRequest {
  const { tokens: headerTokens, ...rendered } = renderOpenai({ ...call, body: { ...call.body, messages: [] } })
  const parts = objectsOf(call.body['messages']).flatMap((message, index) => {
    const { content: _, ...rest } = message
    const frame = messageBlocks(call, rest, call.overhead.perMessage[index] ?? 0)
    const [first, ...others] = contentParts(message)
    return [joined(call, first, frame), ...others.map((part) => joined(call, part))]
  })
  const tokens = parts.reduce((sum, block) => sum + block.tokens, headerTokens)
  // Without tools there is nothing before the messages that the frame of a request could stand at.
  const [first, ...others] = parts
  const fixed = rendered.blocks.length === 0 ? call.overhead.fixed : 0
  const framed = first === undefined ? [] : [{ ...first, tokens: first.tokens + fixed }, ...others]
  return { ...rendered, cacheKey: '', blocks: [...rendered.blocks, ...framed], tokens: tokens + fixed }
}

/** A part as the one block that it is there, with what stands before it. A message without content is its frame. */
function joined(call: SimulatedCall, part: JsonObject | undefined, frame: readonly CacheBlock[] = []): CacheBlock {
  const { cache_control: mark = null, ...said } = (part ?? {}) as Record<string, JsonValue>
  const content = part === undefined ? null : [said]
  const blocks = [...frame, ...messageBlocks(call, { content }, 0)]
  return {
    hash: digest(blocks.map(({ hash }) => hash).join(' ')),
    tokens: blocks.reduce((sum, { tokens }) => sum + tokens, 0),
    ...(mark !== null && { breakpointTtlMs: fiveMinutesMs }),
  }
}
