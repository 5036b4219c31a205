import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { DialectTable } from '../../codecs/index.ts'
import { PrehendError } from '../../core/index.ts'
import { takesBytes } from '../api/own-paths.ts'
import type { GatewayConfig } from '../config.ts'
import { answerPreflight, isPreflight, showTo } from './cors.ts'
import { guardOf, requireJson } from './guard.ts'
import type { ProviderRoute } from './provider-route.ts'
import { providerRoute } from './routes.ts'

/** Where a request goes: to a provider, or to what we answer ourselves; or it has its answer. */
export type Admitted = ProviderRoute | 'ours' | 'answered'

/** Lets requests in before anything of them is read. Throws what keeps one out. */
export function admission(
  config: GatewayConfig,
  dialects: DialectTable,
): (request: IncomingMessage, response: ServerResponse) => Admitted {
  const guard = guardOf(config)
  const isOpen = config.tokens.length === 0
  return (request, response) => {
    const { headers } = request
    const { page } = guard(headers)
    if (page !== undefined) {
      showTo(page, response)
      if (isPreflight(request)) {
        answerPreflight(request, response)
        return 'answered'
      }
    }
    requireMethod(request.method)
    if (wantsWebSocket(headers)) throw noWebSocket()
    const route = providerRoute(request, dialects)
    const isUpload = route === undefined && takesBytes(request.method ?? '', request.url ?? '')
    if (isOpen && route?.kind !== 'forward' && !isUpload) requireJson(headers)
    return route ?? 'ours'
  }
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** TRACE would echo a request with the operator's key in it; no provider has a use for other methods. */
function requireMethod(method = 'GET'): void {
  if (methods.includes(method)) return
  const remedy = `Use one of ${methods.join(', ')}.`
  throw new PrehendError('method-not-allowed', `The method ${method} is not allowed here. ${remedy}`, {
    allow: methods,
    remedy,
  })
}

/** Other protocols (HTTP/2 without TLS is one that clients offer unasked) are not taken up, and the request stands. */
function wantsWebSocket({ upgrade }: IncomingHttpHeaders): boolean {
  return upgrade?.toLowerCase() === 'websocket'
}

function noWebSocket(): PrehendError {
  const remedy = 'Send the request by HTTP; streams come as server-sent events.'
  return new PrehendError('no-upgrade', `There are no WebSockets here. ${remedy}`, { remedy })
}
