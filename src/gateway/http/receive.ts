import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { ExchangeKind } from '../exchange/exchange.ts'
import { requireKeyRoute } from '../access/key-limits.ts'
import { requireScope } from '../keys/require-scope.ts'
import type { GatewayParts } from '../parts.ts'
import { settingsFor } from '../tenant-settings.ts'
import type { TenantSettings } from '../tenant-settings.ts'
import type { ArrivedRequest } from './arrived.ts'
import type { Authenticate } from './authenticate.ts'
import type { WithoutTokens } from './client-keys.ts'
import { hasBody } from './guard.ts'
import type { ProviderRoute } from './provider-route.ts'
import { readBody } from './read-body.ts'
import type { RequestPlace } from './rooms.ts'
import { uploadOf } from './upload.ts'

export interface Receiving {
  readonly request: IncomingMessage
  readonly route: ProviderRoute
  readonly requestId: string
  readonly authenticate: Authenticate
  readonly ownKeys: WithoutTokens
  readonly place: RequestPlace
}

/** Takes a request in. Rejects where who asks may not, and where its body is longer than what is taken, or than what there is room for. */
export async function receive(parts: GatewayParts, receiving: Receiving): Promise<ArrivedRequest> {
  const { request, route, requestId, authenticate, ownKeys, place } = receiving
  const { headers, method = 'GET' } = request
  const found = authenticate(headers)
  // Who is known at once is not waited for.
  const principal = found instanceof Promise ? await found : found
  requireScope(principal, 'inference')
  requireKeyRoute(principal, method, route.path)
  const { tenant } = principal
  place.of(tenant)
  const isHere = isRead(route.kind, method) || (route.kind === 'forward' && isChecked(parts, headers))
  const bytes = isHere ? await bodyOf(settingsFor(parts.config, tenant), receiving) : undefined
  const upload = route.kind === 'forward' && !isHere ? uploadOf(request) : undefined
  return {
    requestId,
    route,
    tenant,
    principal,
    method,
    headers: ownKeys(headers, route.codec),
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

/** Bodies that may name a model, or what a provider keeps of others; uploads of forms and media cannot. */
function isChecked({ config }: GatewayParts, headers: IncomingHttpHeaders): boolean {
  if (config.tokens.length === 0 || !hasBody(headers)) return false
  return !/^\s*(?:multipart\/|audio\/|image\/|video\/|application\/octet-stream)/i.test(headers['content-type'] ?? '')
}

function isRead(kind: ExchangeKind, method: string): boolean {
  return kind === 'messages' || kind === 'count-tokens' || (kind === 'plain' && method === 'POST')
}
