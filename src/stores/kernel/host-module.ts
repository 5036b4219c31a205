import { PrehendError } from '../../core/index.ts'
import { builtinModule } from '../../host/index.ts'

type Modules = {
  readonly [Name in Parameters<typeof builtinModule>[0]]: NonNullable<ReturnType<typeof builtinModule<Name>>>
}

/** A module that a store on SQLite cannot do without. Throws `store-failed` where there is none. */
export function hostModule<Name extends keyof Modules>(name: Name): Modules[Name] {
  const found = builtinModule(name)
  if (found !== undefined) return found
  const remedy = 'Run on Node 22.13 or later, or use memoryStore().'
  throw new PrehendError('store-failed', `The store could not open: there is no ${name} here. ${remedy}`, { remedy })
}
