import { ownRoutes } from './routes/index.ts'

/** Where the inspector lies. */
export const pagePath = '/inspector'

/** Where the routes lie that we answer ourselves; nothing below them goes to a provider. */
const ownPaths: readonly string[] = [...new Set(ownRoutes.map(({ path }) => placeOf(path))), pagePath]

/** Where routes of ours are to lie, and nothing answers yet. No provider has routes there. */
const plannedPaths: readonly string[] = ['/v1/cache', '/v1/collections', '/v1/memory', '/v1/templates']

/** What a route lies below: the first step of its path, with the version before it where it has one. */
function placeOf(path: string): string {
  const [, first = '', second = ''] = path.split('/')
  return first === 'v1' ? `/${first}/${second}` : `/${first}`
}

/** Whether a request goes to no provider: its path is ours, or is to be. */
export function isOwnPath(path: string): boolean {
  return isBelow(path, ownPaths) || isPlannedPath(path)
}

export function isPlannedPath(path: string): boolean {
  return isBelow(path, plannedPaths)
}

/** Whether a request of ours may have a body of any media type. Browsers let no page of others send a PUT unasked. */
export function takesBytes(method: string, path: string): boolean {
  return method === 'PUT' && uploads.some((place) => path.startsWith(place))
}

const uploads = ownRoutes.flatMap(({ takesBytes: takes, path }) => (takes ? path.replace(/\{.*$/s, '') : []))

function isBelow(path: string, places: readonly string[]): boolean {
  return places.some((place) => path === place || path.startsWith(`${place}/`))
}
