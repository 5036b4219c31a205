import { ownRoutes } from '../api/routes/index.ts'
import { pagePath } from './inspector-page.ts'

/** Where the routes lie that we answer ourselves; nothing below them goes to a provider. */
const ownPaths: readonly string[] = [...new Set(ownRoutes.map(({ path }) => placeOf(path))), pagePath]

/** What a route lies below: the first step of its path, with the version before it where it has one. */
function placeOf(path: string): string {
  const [, first = '', second = ''] = path.split('/')
  return first === 'v1' ? `/${first}/${second}` : `/${first}`
}

export function isOwnPath(path: string): boolean {
  return ownPaths.some((own) => path === own || path.startsWith(`${own}/`))
}
