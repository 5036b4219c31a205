import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { invalidInput, parseJson } from '../../core/index.ts'
import type { JsonValue } from '../../core/index.ts'
import { named } from '../../sessions/index.ts'
import { isOwnPath } from '../api/own-paths.ts'
import { listExtensions } from '../api/routes/system-routes.ts'
import { honoPath, serveRoute } from '../api/serve-route.ts'
import type { RouteHost, Served } from '../api/serve-route.ts'
import type { Additions, ExtensionRoute, RouteAnswer } from './additions.ts'
import type { GatewayExtensions } from './additions.ts'

const pathForm = /^\/(?:(?!\.{1,2}(?:\/|$))(?:[\w.~-]+|\{\w+\})(?:\/(?!$)|$))*$/

/** Throws `invalid-input` where a path is none. */
export function requireRoutes(extension: string, { routes = [] }: Additions): void {
  for (const [index, { path }] of routes.entries())
    if (!pathForm.test(path))
      throw invalidInput(
        `${named(extension)}.routes[${index}].path`,
        `is ${JSON.stringify(path)}`,
        'Write it as /notes/{id}; it lies below the path of the extension.',
      )
}

/** Throws `invalid-input` where a dialect would take a request from the gateway's own routes. */
export function requireDialectRoutes(extension: string, { dialects = [] }: Additions): void {
  for (const [index, { signs }] of dialects.entries())
    for (const [at, { path }] of signs.routes.entries())
      if (isOwnPath(path))
        throw invalidInput(
          `${named(extension)}.dialects[${index}].signs.routes[${at}].path`,
          `is ${JSON.stringify(path)}, which is a route of the gateway`,
          'Give it another path.',
        )
}

/** Serves the list of extensions, and the routes of extensions: for the tenants of the gateway's tokens, with the gateway's limits. */
export function addExtensionRoutes(host: RouteHost, { all }: GatewayExtensions): void {
  const extensions = all.map(({ name, adds }) => ({ name, adds }))
  serveRoute(host, listExtensions, () => ({ extensions }))
  for (const { name, added } of all)
    for (const one of added.routes ?? []) {
      const path = `${listExtensions.path}/${name}${one.path === '/' ? '' : one.path}`
      host.app.on(one.method.toUpperCase(), honoPath(path), async (c) => answered(c, await asked(host, one, c)))
    }
}

async function asked(host: RouteHost, { method, answer }: ExtensionRoute, c: Served): Promise<RouteAnswer> {
  const { tenant } = await host.principalOf(c, method === 'get' ? 'read' : 'inference')
  const text = method === 'get' || method === 'delete' ? '' : await host.bodyOf(c, tenant)
  const body = text === '' ? undefined : (parseJson(text) as JsonValue)
  const query = Object.fromEntries(Object.entries(c.req.queries()).map(([key, all]) => [key, all.join(',')]))
  return answer({ tenant, params: c.req.param(), query, body, signal: c.req.raw.signal })
}

function answered(c: Served, answer: RouteAnswer): Response {
  const status = (answer.status ?? 200) as ContentfulStatusCode
  if ('json' in answer) return c.json(answer.json as object, status)
  return c.body(answer.text, status, { 'content-type': answer.type ?? 'text/plain; charset=utf-8' })
}
