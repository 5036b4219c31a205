import { PrehendError } from '../../../core/index.ts'
import { ownRoutes } from '../routes/index.ts'

/** The error for a path of ours that has other methods than the one asked for; undefined where we have no such path. */
export function methodNotAllowed(path: string): PrehendError<'method-not-allowed'> | undefined {
  const allow = methodsOf(path)
  if (allow.length === 0) return undefined
  const remedy = `Use ${allow.join(' or ')}.`
  return new PrehendError('method-not-allowed', `This path has no such method. ${remedy}`, { allow, remedy })
}

function methodsOf(path: string): readonly string[] {
  const found = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
  // Whatever answers GET answers HEAD.
  return found.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
}

const patterns = ownRoutes.map(({ method, path }) => ({
  method: method.toUpperCase(),
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))
