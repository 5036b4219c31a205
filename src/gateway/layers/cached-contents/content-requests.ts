import { PrehendError, isJsonObject } from '../../../core/index.ts'
import { dropsHeader } from '../../access/dropped-headers.ts'
import { requestHeaders } from '../../upstream/forward-headers.ts'
import { bodyOf } from '../../outlet/reply.ts'
import type { GatewayParts } from '../../parts.ts'
import { replyOf } from '../../upstream/reply-of.ts'
import type { UpstreamRoute } from '../../upstream/upstreams.ts'
import type { Exchange } from '../../exchange/exchange.ts'

/** What a provider says of something that it has been asked to keep. */
export interface MadeContent {
  readonly name: string
  readonly tokens: number
}

/** Asks the provider of a request to keep something, to keep it longer, or no longer; all with what the request may do there. */
export interface ContentRequests {
  /** Undefined where the provider keeps nothing of it; throws where it may another time. */
  make(body: string): Promise<MadeContent | undefined>
  prolong(name: string, ttlMs: number): Promise<boolean>
  remove(name: string, signal?: AbortSignal): Promise<boolean>
}

/** Nobody waits longer for what only saves money. */
const patienceMs = 30_000

export function contentRequests(
  parts: Pick<GatewayParts, 'upstreams' | 'config'>,
  exchange: Exchange,
): ContentRequests {
  const { wire, conversation, tenant, upstream: name, headers, codec } = exchange
  const route = parts.upstreams.for({ dialect: wire.dialect, model: conversation.model, name, tenant })
  // What is kept outlives the request, and is not to hold what it said.
  const asking: Asking = { headers, codec, route, config: parts.config }
  const ask = (method: string, path: string, more: Pick<ContentRequest, 'body' | 'signal'> = {}): Promise<Answer> =>
    asked(asking, { method, path: `/v1beta/${path}`, ...more })
  return {
    async make(body) {
      const { status, text } = await ask('POST', 'cachedContents', { body })
      if (status === 429 || status >= 500) throw busy(status)
      return status === 200 ? madeOf(text) : undefined
    },
    prolong: async (content, ttlMs) => {
      const body = JSON.stringify({ ttl: `${Math.round(ttlMs / 1000)}s` })
      return (await ask('PATCH', `${content}?updateMask=ttl`, { body })).status === 200
    },
    remove: async (content, signal) => (await ask('DELETE', content, signal && { signal })).status === 200,
  }
}

function busy(status: number): PrehendError {
  const remedy = 'It is asked again when that is worth it.'
  return new PrehendError('upstream-unreachable', `The provider answers ${status}. ${remedy}`, { remedy })
}

interface Answer {
  readonly status: number
  readonly text: string
}

interface Asking extends Pick<Exchange, 'headers' | 'codec'> {
  readonly route: UpstreamRoute
  readonly config: GatewayParts['config']
}

interface ContentRequest {
  readonly method: string
  readonly path: string
  readonly body?: string
  readonly signal?: AbortSignal
}

async function asked(
  { headers: own, codec, route, config }: Asking,
  { signal, ...request }: ContentRequest,
): Promise<Answer> {
  const { 'content-type': _, ...headers } = requestHeaders(own, {
    keepCredentials: route.passCredentials,
    isDropped: dropsHeader(config),
  })
  const patience = AbortSignal.timeout(patienceMs)
  const reply = await route.upstream.send({
    ...request,
    headers: { ...headers, ...(request.body !== undefined && { 'content-type': 'application/json' }) },
    signal: signal === undefined ? patience : AbortSignal.any([patience, signal]),
  })
  const { text } = await bodyOf(replyOf(reply, { form: 'whole', codec, limits: config.limits }))
  return { status: reply.status, text }
}

function madeOf(text: string): MadeContent | undefined {
  const told: unknown = JSON.parse(text)
  if (!isJsonObject(told)) return undefined
  const { name, usageMetadata: usage } = told
  const tokens = isJsonObject(usage) ? usage['totalTokenCount'] : undefined
  if (typeof name !== 'string' || !/^cachedContents\/[\w-]+$/.test(name) || typeof tokens !== 'number') return undefined
  return { name, tokens }
}
