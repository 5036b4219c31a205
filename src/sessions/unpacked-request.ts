import type { WireExchange, Policy } from '../core/index.ts'
import { defaultPolicy } from '../compiler/index.ts'
import { sha256 } from '../host/index.ts'
import type { HostStep, ReceiptResult, RecordedRequest, Scope, Unit } from '../stores/index.ts'
import type { ModelInfo } from '../tokens/index.ts'
import { turnInput } from './compile-input.ts'
import { compileMemory } from './compilers.ts'
import { stepOf } from './receipt-of.ts'
import { namedSession, sessionScope } from './session-key.ts'
import { partsFor } from './session-parts.ts'
import type { SessionParts } from './session-parts.ts'

/** The bytes of a request that goes as it came. */
export interface SentBytes {
  /** SHA-256. */
  readonly hash: string
  /** Absent where they are no text, or more of it than a receipt is to hold. */
  readonly body?: string
}

/** What is kept of a body that nobody reads; it may be as large as a body can be, and come again and again. */
const mostKept = 1_048_576

export function sentBytes(bytes: Uint8Array): SentBytes {
  const body = bytes.length > mostKept ? undefined : textOf(bytes)
  return { hash: sha256(bytes), ...(body !== undefined && { body }) }
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** A request that went as it came, or that a layer answered or refused, and how that ended. */
export interface UnpackedRequest {
  readonly mode: 'unpacked' | 'answered'
  readonly requestId: string
  readonly tenant: string
  /** Empty where nobody could read it. */
  readonly exchange: WireExchange
  /** That it belongs to; by the request itself where it is absent. */
  readonly scope?: Scope | undefined
  /** The bytes that went, or that came. */
  readonly sent: SentBytes
  readonly info: ModelInfo
  readonly receivedMs: number
  readonly step?: HostStep
  readonly result: ReceiptResult
}

/** Under this name stands what no policy has packed. */
export const noPolicy = 'none'

const packsNothing: Policy = Object.freeze({ ...defaultPolicy, id: noPolicy })

/** Under this name stands what no client has named and nobody could read. */
export const unreadSession = 'unread'

/**
 * Files a request that was not packed: that it was there, the bytes that it went as or came as, what failed or who answered, and what it
 * came to. Its manifest is that of nothing.
 */
export function unpackedUnit(parts: SessionParts, request: UnpackedRequest): Unit {
  const { mode, requestId, tenant, exchange, sent, info, receivedMs, step, result } = request
  const { compile, recordsContent } = partsFor(parts, tenant)
  const { model } = exchange.conversation
  const input = turnInput({
    items: [],
    policy: packsNothing,
    known: [],
    tools: [],
    windowTokens: info.windowTokens,
    overheadTokens: 0,
    ownTokens: 0,
    nowMs: receivedMs,
    ...(model !== '' && { model }),
  })
  const { manifest } = compile(model, input, compileMemory())
  return {
    scope: besideLane(request),
    nowMs: receivedMs,
    writes: [
      {
        table: 'receipts',
        receipt: {
          requestId,
          packId: sent.hash,
          dialect: exchange.wire.dialect,
          mode,
          manifest,
          ...(model !== '' && { model }),
          ...stepOf(step),
          ...(recordsContent && { input, ...(sent.body !== undefined && { request: recorded(exchange, sent.body) }) }),
        },
      },
      { table: 'results', of: { requestId, result } },
    ],
  }
}

function recorded({ wire }: WireExchange, body: string): RecordedRequest {
  return { path: wire.path, body, overlay: [], breakpoints: [], tools: [] }
}

/** A lane of its own: nothing goes on from it. */
function besideLane({ mode, tenant, exchange, scope }: UnpackedRequest): Scope {
  if (exchange.conversation.items.length === 0)
    return { tenant, session: scope?.session ?? namedSession(exchange) ?? unreadSession, lane: mode }
  const { session, lane = '' } = scope ?? sessionScope(tenant, exchange)
  return { tenant, session, lane: `${lane}.${mode}` }
}
