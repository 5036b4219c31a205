import { gatheredBytes } from '../../codecs/index.ts'
import type { Codec } from '../../codecs/index.ts'
import type { Usage } from '../../core/index.ts'
import { priceOf } from '../../tokens/index.ts'
import type { ModelCatalogue } from '../../tokens/index.ts'
import { errorCode } from '../../tracing/index.ts'
import type { OpenSpan } from '../../tracing/index.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Reply, ReplyPiece } from '../outlet/reply.ts'
import { callAttributes, operationOf, usageAttributes } from '../recording/request-attributes.ts'

export interface CallToTrace {
  readonly exchange: Exchange
  readonly provider: string
  /** Of the dialect that the provider speaks. */
  readonly codec: Codec
  readonly catalogue: ModelCatalogue
}

/** A call of a provider as a span, which ends with the last of its reply. */
export async function tracedCall(call: CallToTrace, ask: () => Promise<Reply>): Promise<Reply> {
  const { exchange, provider } = call
  if (exchange.span === undefined) return ask()
  const span = exchange.span.child(nameOf(exchange), 'client')
  const askedMs = performance.now()
  span.set({ ...callAttributes(exchange), 'gen_ai.provider.name': wellKnown[provider] ?? provider })
  try {
    const reply = await ask()
    span.set({ 'http.response.status_code': reply.status })
    if (reply.status >= 400) span.fail(String(reply.status))
    return { ...reply, pieces: watchedPieces(reply, call, { span, askedMs }) }
  } catch (error) {
    span.fail(errorCode(error))
    span.end()
    throw error
  }
}

/** In seconds. */
const firstChunk = 'gen_ai.response.time_to_first_chunk'

/** Where the conventions have another name than ours. */
const wellKnown: Readonly<Record<string, string>> = { gemini: 'gcp.gemini', mistral: 'mistral_ai', xai: 'x_ai' }

function nameOf({ kind, wire, conversation }: Exchange): string {
  if (kind !== 'messages') return `prehend.ask ${kind}`
  return `${operationOf(wire.dialect)} ${conversation.model.slice(0, 200)}`.trim()
}

interface Watch {
  readonly span: OpenSpan
  readonly askedMs: number
}

function watchedPieces(
  reply: Reply,
  { exchange, codec, catalogue }: CallToTrace,
  { span, askedMs }: Watch,
): Reply['pieces'] {
  const { pieces, form, report } = reply
  return {
    async *[Symbol.asyncIterator](): AsyncGenerator<ReplyPiece> {
      const gathered = form === 'whole' ? gatheredBytes() : undefined
      let isFirst = form === 'stream'
      try {
        for await (const piece of pieces) {
          if (isFirst) span.set({ [firstChunk]: (performance.now() - askedMs) / 1000 })
          isFirst = false
          if (piece.bytes) gathered?.add(piece.bytes)
          yield piece
        }
      } catch (error) {
        span.fail(errorCode(error))
        throw error
      } finally {
        const usage = report?.().usage ?? usageIn(gathered?.take(), codec)
        const usd = usage && priceOf(usage, catalogue.info(exchange.conversation.model))
        span.set({ ...usageAttributes(usage), ...(usd !== undefined && { 'gen_ai.usage.cost': usd }) })
        span.end()
      }
    },
  }
}

/** Undefined for what cannot be read: somebody else says so. */
function usageIn(bytes: Uint8Array | undefined, codec: Codec): Usage | undefined {
  if (bytes === undefined || bytes.length === 0) return undefined
  try {
    return codec.usageOf(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}
