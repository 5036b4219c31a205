import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Dialect } from '../core/index.ts'
import { requestHeaders, responseHeaders } from './forward-headers.ts'
import type { GatewayParts } from './gateway-parts.ts'
import { readAll } from './upstream/read-all.ts'

export interface PlainRequest {
  readonly dialect: Dialect
  readonly model: string
  readonly body?: string
}

/** Asks the provider and gives its answer as it came: for routes that carry no conversation. */
export async function forwardPlain(parts: GatewayParts, c: Context, plain: PlainRequest): Promise<Response> {
  const { upstream, passCredentials } = parts.upstreams.for(plain.dialect, plain.model)
  const { pathname, search } = new URL(c.req.url)
  const reply = await upstream.send({
    method: c.req.method,
    path: pathname + search,
    headers: requestHeaders(Object.fromEntries(c.req.raw.headers), passCredentials),
    signal: c.req.raw.signal,
    ...(plain.body !== undefined && { body: plain.body }),
  })
  const body = await readAll(reply.body)
  return c.body(new Uint8Array(body), reply.status as ContentfulStatusCode, responseHeaders(reply.headers))
}
