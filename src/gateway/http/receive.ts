import type { IncomingMessage } from 'node:http'
import type { ExchangeKind } from '../layers/exchange.ts'
import type { GatewayParts } from '../parts.ts'
import { settingsFor } from '../tenant-settings.ts'
import type { TenantSettings } from '../tenant-settings.ts'
import type { ArrivedRequest } from './arrived.ts'
import type { Authenticate } from './authenticate.ts'
import type { ProviderRoute } from './provider-route.ts'
import { readBody } from './read-body.ts'
import type { RequestPlace } from './rooms.ts'
import { uploadOf } from './upload.ts'

export interface Receiving {
  readonly request: IncomingMessage
  readonly route: ProviderRoute
  readonly requestId: string
  readonly authenticate: Authenticate
  readonly place: RequestPlace
}

/** Takes a request in. Rejects where who asks may not, and where its body is longer than what is taken, or than what there is room for. */
export async function receive(parts: GatewayParts, receiving: Receiving): Promise<ArrivedRequest> {
  const { request, route, requestId, authenticate, place } = receiving
  const { headers, method = 'GET' } = request
  const tenant = authenticate(headers)
  place.of(tenant)
  const bytes = isRead(route.kind, method) ? await bodyOf(settingsFor(parts.config, tenant), receiving) : undefined
  const upload = route.kind === 'forward' ? uploadOf(request) : undefined
  return {
    requestId,
    route,
    tenant,
    method,
    headers,
    receivedMs: parts.clock(),
    startedMs: parts.stopwatch(),
    ...(bytes && { bytes }),
    ...(upload && { upload }),
    whenSent: place.sent,
  }
}

async function bodyOf({ limits }: TenantSettings, { request, place }: Receiving): Promise<Buffer> {
  const bytes = await readBody(request, limits.bodyBytes, { hold: place.hold })
  place.queue()
  return bytes
}

function isRead(kind: ExchangeKind, method: string): boolean {
  return kind === 'messages' || kind === 'count-tokens' || (kind === 'plain' && method === 'POST')
}
