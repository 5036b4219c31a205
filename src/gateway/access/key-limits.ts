import { perObject, PrehendError } from '../../core/index.ts'
import type { Principal } from '../../core/index.ts'
import { routeTest, wildcards } from './allowed-routes.ts'

/** A key that is known has the same list in each request. */
const testOf = perObject((routes: readonly string[]) => routeTest(routes))

/** Throws `forbidden` where the principal's key may not use a route of a provider or of ours; it names those that it may. */
export function requireKeyRoute({ allowedRoutes }: Principal, method: string, path: string): void {
  if (allowedRoutes === undefined) return
  if (testOf(allowedRoutes)(method, path)) return
  const [place = ''] = path.split('?', 1)
  throw forbidden(`This key may not use ${method} ${place}.`, `It may use ${allowedRoutes.join(', ')}.`)
}

/** The first model that the principal's key may not use; a name with its upstream before it will do. */
export function modelRefused(
  { allowedModels }: Principal,
  models: readonly string[],
  upstream: string,
): string | undefined {
  if (allowedModels === undefined) return undefined
  const takesModel = wildcards(allowedModels)
  return models.find((model) => !takesModel(model) && !takesModel(`${upstream}/${model}`))
}

/** Of a model that a key may not use, or of a request whose model cannot be read. */
export function modelForbidden(allowedModels: readonly string[], model?: string): PrehendError {
  const problem =
    model === undefined
      ? 'The model of this request cannot be read, and this key may use certain models only.'
      : `This key may not use the model ${model}.`
  return forbidden(problem, `It may use ${allowedModels.join(', ')}.`)
}

function forbidden(problem: string, remedy: string): PrehendError {
  return new PrehendError('forbidden', `${problem} ${remedy}`, { remedy })
}
