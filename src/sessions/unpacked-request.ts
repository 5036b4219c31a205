import type { Exchange, Policy } from '../core/index.ts'
import { defaultPolicy } from '../compiler/index.ts'
import { sha256 } from '../host/index.ts'
import type { Commit, HostStep, ReceiptResult, RecordedRequest } from '../stores/index.ts'
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

/** A request that went as it came, and how that ended. */
export interface UnpackedRequest {
  readonly requestId: string
  readonly tenant: string
  /** Empty where nobody could read it. */
  readonly exchange: Exchange
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
const unreadSession = 'unread'

/**
 * Files a request that nobody could read or pack: that it was there, the bytes that it went as, what failed, and what it came to. Its manifest is
 * that of nothing.
 */
export function unpackedCommit(parts: SessionParts, request: UnpackedRequest): Commit {
  const { requestId, tenant, exchange, sent, info, receivedMs, step, result } = request
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
    scope: unpackedScope(tenant, exchange),
    nowMs: receivedMs,
    receipt: {
      requestId,
      packId: sent.hash,
      dialect: exchange.wire.dialect,
      mode: 'unpacked',
      manifest,
      ...(model !== '' && { model }),
      ...stepOf(step),
      ...(recordsContent && { input, ...(sent.body !== undefined && { request: recorded(exchange, sent.body) }) }),
    },
    result: { requestId, result },
  }
}

function recorded({ wire }: Exchange, body: string): RecordedRequest {
  return { path: wire.path, body, overlay: [], breakpoints: [], tools: [] }
}

/** A lane of its own: nothing goes on from it. */
function unpackedScope(tenant: string, exchange: Exchange): Commit['scope'] {
  if (exchange.conversation.items.length === 0)
    return { tenant, session: namedSession(exchange) ?? unreadSession, lane: 'unpacked' }
  const { session, lane = '' } = sessionScope(tenant, exchange)
  return { tenant, session, lane: `${lane}.unpacked` }
}
