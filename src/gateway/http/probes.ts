import type { IncomingMessage } from 'node:http'

/** The paths under which load balancers ask where nobody has told them of ours. */
const aliases: Readonly<Record<string, string>> = { '/healthz': '/health/liveness', '/health': '/health/readiness' }

/** Turns a question about our health, asked in another form, into the one that is answered. `OPTIONS /` is what HAProxy asks by default. */
export function asHealthRoute(request: IncomingMessage): void {
  const { method, url = '/', headers } = request
  const [path = ''] = url.split('?', 1)
  if (method === 'GET' || method === 'HEAD') request.url = aliases[path] ?? url
  if (method !== 'OPTIONS' || path !== '/' || headers['access-control-request-method'] !== undefined) return
  request.method = 'GET'
  request.url = '/health/readiness'
}
