import { didYouMean, invalidInput } from '../core/index.ts'
import type { PrehendError } from '../core/index.ts'
import type { GatewayConfig } from './config-schema.ts'

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
