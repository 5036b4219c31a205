import { didYouMean, invalidInput, literalPattern } from '../../core/index.ts'
import { routeGroups, routeTest } from '../access/allowed-routes.ts'
import { methods } from './route.ts'
import { isOwnPath } from './own-paths.ts'
import { ownRoutes } from './routes/index.ts'

const ours = ownRoutes
  .filter(({ open }) => !open)
  .map(({ method, path }) => {
    const form = new RegExp(
      `^${path
        .split(/\{\w+\}/)
        .map(literalPattern)
        .join('[^/]+')}$`,
    )
    return {
      method: method.toUpperCase(),
      text: `${method.toUpperCase()} ${path}`,
      /** A path of the route, for patterns with a star. */
      sample: path.replaceAll(/\{\w+\}/g, 'x'),
      isAt: (asked: string) => form.test(asked),
    }
  })

/**
 * Throws `invalid-input` where a list that a key is limited to has a route that cannot be: neither one of ours, nor where providers have
 * theirs. Such a line would limit nothing that anybody asks for.
 */
export function requireLimitableRoutes(routes: readonly string[] | null | undefined): void {
  for (const [index, said] of (routes ?? []).entries()) {
    if (isLimitable(said)) continue
    const known = ours.map(({ text }) => text)
    const remedy = `${didYouMean(said, known)}There are ${Object.keys(routeGroups).join(', ')}, routes of providers such as "POST /v1/messages", and ${known.join(', ')}.`
    throw invalidInput(`allowedRoutes[${index}]`, `there is no route ${said}`, remedy)
  }
}

function isLimitable(said: string): boolean {
  if (Object.hasOwn(routeGroups, said)) return true
  const cut = said.indexOf(' ')
  const path = said.slice(cut + 1)
  const method = cut < 0 ? undefined : said.slice(0, cut)
  if (method !== undefined && !methods.some((one) => one.toUpperCase() === method)) return false
  const isOfOurs = ours.some(
    (one) =>
      (method === undefined || method === one.method) && (one.isAt(path) || routeTest([said])(one.method, one.sample)),
  )
  // What extensions answer is known where they are open.
  return isOfOurs || path.startsWith('/v1/extensions/') || (/^\/v1(?:alpha|beta)?\/[^/]/.test(path) && !isOwnPath(path))
}
