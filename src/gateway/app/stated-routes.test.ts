import { expect, test } from 'vitest'
import { httpPage } from '../api/http-page.ts'
import { openApiDocument } from '../api/openapi.ts'
import { noExtensions } from '../../sessions/index.ts'
import { ownRoutes } from '../api/routes/index.ts'
import { honoPath } from '../api/serve-route.ts'
import { parseConfig } from '../config.ts'
import { gatewayRooms } from '../http/rooms.ts'
import type { ServingParts } from '../parts.ts'
import { managementApp } from './management-app.ts'

/** What is served, by the router's own list; routes are added without anything being asked of the parts but extensions. */
function servedRoutes(): readonly string[] {
  const never = (): never => {
    throw new Error('nothing is asked here')
  }
  const { routes } = managementApp({ extensions: noExtensions } as unknown as ServingParts, {
    authenticate: never,
    attempts: { failed: never },
    rooms: gatewayRooms(parseConfig({}), 0),
    compile: never,
  })
  const own = routes.filter(({ method, path }) => method !== 'ALL' && path !== '/*')
  return own.map(({ method, path }) => `${method} ${path}`)
}

test('what is served is stated, published and on the page, each once, and nothing else is', () => {
  const stated = ownRoutes.map(({ method, path }) => `${method.toUpperCase()} ${honoPath(path)}`)
  expect(servedRoutes().toSorted()).toEqual(stated.toSorted())
  const { paths } = openApiDocument({ version: '1' }) as { readonly paths: Readonly<Record<string, object>> }
  const page = httpPage()
  for (const { method, path } of ownRoutes) {
    expect(Object.keys(paths[path] ?? {})).toContain(method)
    expect(page).toContain(`### ${method.toUpperCase()} ${path}\n`)
  }
  expect(page).toContain(`${ownRoutes.length} routes of ${servedRoutes().length} that are served`)
})
