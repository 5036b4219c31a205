import type { ToolResult } from '../../../core/index.ts'
import { filtered } from '../../outlet/reply.ts'
import type { Reply } from '../../outlet/reply.ts'
import { guardOf } from '../../guard-of.ts'
import { hiddenRounds } from '../../hidden-rounds.ts'
import type { HiddenRounds } from '../../hidden-rounds.ts'
import type { GatewayParts } from '../../parts.ts'
import { prepare } from '../../prepare.ts'
import type { SessionRequest } from '../../prepare.ts'
import { admitted, layeredRequest } from '../exchange.ts'
import type { Exchange } from '../exchange.ts'
import type { Layer, Next } from '../layer.ts'
import { fileResult } from './file-result.ts'
import { joinedReply } from './joined-reply.ts'
import { splicedReply } from './spliced-reply.ts'
import type { ToolOffer, Turn } from './turn.ts'

/**
 * Compiles each request as the next turn of its session, answers the calls of our own tools, and files what came of it.
 * Where a part of that fails, the request goes on as the layers before have left it.
 */
export function sessionLayer(parts: GatewayParts): Layer {
  return {
    name: 'session',
    failure: 'open',
    handle: async (exchange, next) => {
      if (exchange.kind !== 'messages' || exchange.settings.mode === 'off') return next(exchange)
      const received = layeredRequest(exchange)
      const prepared = await prepare(parts, { exchange, received })
      if (typeof prepared === 'string') {
        exchange.trace.skip(prepared)
        return next(exchange)
      }
      const { session } = prepared
      session.users += 1
      exchange.whenEnded(() => void (session.users -= 1))
      return turn(parts, { exchange, prepared, next })
    },
  }
}

interface Underway {
  readonly exchange: Exchange
  readonly prepared: SessionRequest
  readonly next: Next
}

/** One request of a session with its reply. */
async function turn(parts: GatewayParts, { exchange, prepared, next }: Underway): Promise<Reply> {
  const { body, stored, received } = prepared
  const send: Turn['send'] = (written) => next({ ...exchange, body: written })
  const context: Turn = { parts, codec: exchange.codec, requestId: exchange.id, received, send, stored, admit }
  const offer = offerOf(prepared)
  const rounds = offer && hiddenRounds(context, offer)
  const markers = guardOf(parts, { prepared, requestId: exchange.id })
  exchange.whenEnded((end) =>
    fileResult(parts, {
      exchange,
      prepared,
      end,
      rehydrations: rounds?.answered ?? 0,
      markersWritten: markers?.written ?? 0,
    }),
  )
  exchange.trace.show(packHeaders(prepared))
  const first = body === undefined ? await next(exchange) : await send(body)
  const shown = rounds ? await withoutHidden(context, rounds, first) : first
  const promised = [...shown.promised, stored]
  return markers ? filtered({ ...shown, promised }, markers) : { ...shown, promised }

  function admit(result: ToolResult): ToolResult {
    const { callId: id, text } = result
    const item = admitted(exchange, { id, section: 'history', kind: 'tool-result', role: 'tool', toolCallId: id, text })
    return { ...result, text: item.text }
  }
}

/** A reply in which our own tools do not occur. */
async function withoutHidden(context: Turn, rounds: HiddenRounds, first: Reply): Promise<Reply> {
  if (first.form === 'raw') return first
  return first.form === 'stream' ? splicedReply(context, rounds, first) : joinedReply(context, rounds, first)
}

function offerOf({ packed, session, mode }: SessionRequest): ToolOffer | undefined {
  if (mode !== 'on' || !packed.encoded?.offersTool) return undefined
  const { exchange, manifest, encoded } = packed
  const roomTokens = manifest.windowTokens - manifest.reserveTokens - manifest.packTokens
  return { session, exchange, pack: encoded.pack, roomChars: Math.max(0, roomTokens) * charsPerToken }
}

/** Low, so that what is cut by characters fits in tokens. */
const charsPerToken = 3

function packHeaders({ packed: { manifest } }: SessionRequest): Record<string, string> {
  const { epoch, outcome } = manifest
  return {
    'x-prehend-pack-id': manifest.packHash,
    'x-prehend-saved-tokens': String(manifest.originalTokens - manifest.packTokens),
    ...(epoch && { 'x-prehend-cache': `${epoch.decision}; ${epoch.cause}` }),
    ...(outcome !== 'ok' && { 'x-prehend-outcome': outcome }),
  }
}
