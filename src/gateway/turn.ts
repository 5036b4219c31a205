import type { UpstreamReply } from '../providers/index.ts'
import type { ServerResponse } from 'node:http'
import type { Exchange, Pack, PrehendError, Usage } from '../core/index.ts'
import type { Codec } from '../codecs/index.ts'
import type { GatewayParts } from './gateway-parts.ts'
import type { LiveSession } from './live-sessions.ts'
import type { MarkerGuard } from './write-out-markers.ts'
import type { ResponseHeaders } from './respond.ts'

/** What a turn needs to answer calls of our own tool. */
export interface ToolOffer {
  readonly session: LiveSession
  /** The request that was encoded, and the pack it was encoded with. */
  readonly exchange: Exchange
  readonly pack: Pack
  /** What the window has room for beside the pack, in characters. */
  readonly roomChars: number
}

/** A request on its way to the provider and back. */
export interface Turn {
  readonly parts: GatewayParts
  readonly codec: Codec
  readonly response: ServerResponse
  readonly requestId: string
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal
  /** The client's request as it came. */
  readonly received: Exchange
  readonly send: (body: string | Buffer) => Promise<UpstreamReply>
  /** What goes upstream first. */
  readonly body: string | Buffer
  /** Present when the request offers our tool. */
  readonly offer?: ToolOffer
  /** Present when the request shows markers that a model might copy. */
  readonly markers?: MarkerGuard
  readonly headers: ResponseHeaders
  /** Resolves when what the reply's headers promise is stored. */
  readonly stored: Promise<unknown>
}

/** How a turn ended. */
export interface TurnEnd {
  readonly status: number
  readonly usage?: Usage
  /** Calls of our own tool that were answered. */
  readonly rehydrations: number
  /** The reply was begun, but could not be finished. */
  readonly failure?: PrehendError
  /** The client left before the end. */
  readonly isAbandoned?: boolean
}

export function isSuccess(reply: UpstreamReply): boolean {
  return reply.status >= 200 && reply.status < 300
}

export function contentType(reply: UpstreamReply): string {
  const value = reply.headers['content-type']
  return typeof value === 'string' ? value : ''
}

/** Adds up what several replies used; what one of them does not report is not known of the sum either. */
export function sumUsage(parts: readonly (Usage | undefined)[]): Usage | undefined {
  const [first, ...rest] = parts
  if (!first) return undefined
  let sum: Usage = first
  for (const usage of rest) {
    if (!usage) return undefined
    sum = addUsage(sum, usage)
  }
  return sum
}

const optionalCounts = ['cacheReadTokens', 'cacheWriteTokens', 'cacheWriteLongTokens', 'reasoningTokens'] as const

function addUsage(a: Usage, b: Usage): Usage {
  const optional = optionalCounts.flatMap((name) => {
    const [left, right] = [a[name], b[name]]
    return left === undefined || right === undefined ? [] : [[name, left + right]]
  })
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...(Object.fromEntries(optional) as Partial<Usage>),
  }
}
