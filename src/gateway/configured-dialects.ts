import type { DialectTable } from '../codecs/index.ts'
import { didYouMean, inOne, invalidInput } from '../core/index.ts'
import type { PrehendError } from '../core/index.ts'
import { dialectsOf } from '../sessions/index.ts'
import type { GatewayConfig } from './config-schema.ts'
import type { GatewayParts } from './parts.ts'

type Named = Pick<GatewayConfig, 'upstreams' | 'modelRoutes'>

/** What a configuration says of dialects that there are not. */
export function dialectErrors(config: GatewayConfig, known: readonly string[]): readonly PrehendError[] {
  return [
    ...errorsIn(config, known),
    ...Object.entries(config.tenants).flatMap(([tenant, own]) => errorsIn(own, known, `tenants.${tenant}.`)),
  ]
}

function errorsIn(
  { upstreams = {}, modelRoutes = {} }: Partial<Named>,
  known: readonly string[],
  at = '',
): readonly PrehendError[] {
  const errorOf = (field: string, name: string): readonly PrehendError[] => {
    if (known.includes(name)) return []
    const remedy = `${didYouMean(name, known)}Name one of these, or the extension that adds it.`
    return [invalidInput(at + field, `is not one of ${known.join(', ')}`, remedy)]
  }
  const ofUpstreams = Object.entries(upstreams).flatMap(([name, { dialect = [] }]) => {
    const field = `upstreams.${name}.dialect`
    if (typeof dialect === 'string') return errorOf(field, dialect)
    return dialect.flatMap((one, index) => errorOf(`${field}[${index}]`, one))
  })
  const ofRoutes = Object.entries(modelRoutes).flatMap(([name, route]) =>
    (['cheap', 'dear'] as const).flatMap((tier) => {
      const said = route[tier]
      if (typeof said === 'string') return []
      return Object.keys(said).flatMap((dialect) => errorOf(`modelRoutes.${name}.${tier}.${dialect}`, dialect))
    }),
  )
  return [...ofUpstreams, ...ofRoutes]
}

/** Throws `invalid-input` where the configuration names a dialect that there is not. */
export function knownDialects(config: GatewayConfig, extensions: GatewayParts['extensions']): DialectTable {
  const dialects = dialectsOf(extensions)
  const errors = dialectErrors(config, dialects.names)
  if (errors.length > 0) throw inOne(errors)
  return dialects
}
