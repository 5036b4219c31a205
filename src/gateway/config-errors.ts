import { didYouMean, invalidInput } from '../core/index.ts'
import type { PrehendError } from '../core/index.ts'
import { knownEndpoint } from '../providers/index.ts'
import { readS3Address } from '../stores/index.ts'
import type { GatewayConfig } from './config-schema.ts'
import { routeErrors } from './model-routes.ts'
import { ownSettings, settingsFor } from './tenant-settings.ts'

type Errors = readonly PrehendError[]

/** What is wrong with the upstreams of a configuration: a server of somebody's own is known by its address only. */
export function upstreamErrors({ upstreams }: Pick<GatewayConfig, 'upstreams'>, at = ''): Errors {
  return Object.entries(upstreams).flatMap(([name, { baseUrl, apiKey, credentials }]): Errors => {
    const field = `${at}upstreams.${name}`
    return [
      ...(apiKey !== undefined && credentials !== undefined
        ? [invalidInput(`${field}.credentials`, 'is beside a key of the operator', 'Leave out one of them.')]
        : []),
      ...(baseUrl === undefined && knownEndpoint(name) === undefined
        ? [invalidInput(`${field}.baseUrl`, 'is needed: nothing is known by this name', 'Give its address.')]
        : []),
      ...(baseUrl === undefined ? [] : addressErrors(`${field}.baseUrl`, baseUrl)),
    ]
  })
}

/** What is wrong with where blobs are to be. The address is not repeated: it may hold a secret. */
export function blobsErrors({ blobs, s3 = {} }: Pick<GatewayConfig, 'blobs' | 's3'>): Errors {
  if (blobs === undefined || !blobs.includes('://')) return []
  const address = readS3Address(blobs)
  if ('problem' in address) return [invalidInput('blobs', address.problem, address.remedy)]
  if (address.accessKeyId !== undefined) return []
  const remedy = 'Give it there, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.'
  return (['accessKeyId', 'secretAccessKey'] as const).flatMap((name) =>
    s3[name] === undefined ? [invalidInput(`s3.${name}`, 'is missing, which `blobs` needs', remedy)] : [],
  )
}

/** Nothing but the place of an address is used. The values are not repeated: they may be secret. */
function addressErrors(field: string, baseUrl: string): Errors {
  const url = URL.parse(baseUrl)
  if (url === null) return []
  const isSigned = url.username !== '' || url.password !== ''
  return [
    ...(isSigned ? [invalidInput(field, 'has a user or a password, which is not sent', 'Give apiKey.')] : []),
    ...(url.search === ''
      ? []
      : [
          invalidInput(
            field,
            'has a query, which is not sent',
            'Give an address without one, such as that of a proxy.',
          ),
        ]),
    ...(url.hash === '' ? [] : [invalidInput(field, 'has a fragment, which is not sent', 'Leave it out.')]),
  ]
}

/** What is wrong with the tokens of a configuration, and with what it says of tenants that no token names. */
export function tokenErrors({ tokens, tenants, operators }: GatewayConfig): Errors {
  const named = [...new Set(tokens.map(({ tenant }) => tenant))]
  // Who manages keys may give one to any tenant.
  const hasManager = tokens.some(({ scopes }) => scopes?.includes('operator'))
  const unnamed = (field: string, tenant: string): Errors =>
    tokens.length === 0 || named.includes(tenant)
      ? []
      : [
          invalidInput(
            field,
            'is a tenant that no token names',
            `${didYouMean(tenant, named)}Correct it or give a token; a tenant that has only keys needs a token with the scope operator, which makes them.`,
          ),
        ]
  return [
    ...tokens.flatMap(({ token }, index): Errors => {
      const first = tokens.findIndex((other) => other.token === token)
      const remedy = 'Give each tenant a token of its own, and each token once.'
      return first === index
        ? []
        : [invalidInput(`tokens[${index}].token`, `is the same as tokens[${first}].token`, remedy)]
    }),
    ...tokens.flatMap(({ name }, index): Errors => {
      const first = name === undefined ? index : tokens.findIndex((other) => other.name === name)
      const field = `tokens[${index}].name`
      return first === index ? [] : [invalidInput(field, `is that of tokens[${first}]`, 'Give each a name of its own.')]
    }),
    ...(hasManager ? [] : Object.keys(tenants)).flatMap((tenant) => unnamed(`tenants.${tenant}`, tenant)),
    ...operators.flatMap((tenant, index) => unnamed(`operators[${index}]`, tenant)),
  ]
}

/** What a tenant has otherwise must be possible with what all have. */
export function tenantErrors(config: GatewayConfig, tenant: string): Errors {
  const own = ownSettings(config, tenant)
  if (own === undefined) return []
  const at = `tenants.${tenant}.`
  const settings = settingsFor(config, tenant)
  const names = Object.keys(settings.upstreams)
  const retention = (['sessionIdleDays', 'receiptDays'] as const).flatMap((name): Errors => {
    const most = config.retention[name]
    const remedy = `The store keeps what there is of all for ${most} days; give less, or raise retention.${name}.`
    const isMore = (own.retention?.[name] ?? 0) > most
    return isMore ? [invalidInput(`${at}retention.${name}`, `is more than ${most}`, remedy)] : []
  })
  const upstreams = (own.allowedUpstreams ?? []).flatMap((name, index): Errors => {
    if (name.includes('*') || names.length === 0 || names.includes(name)) return []
    const remedy = `${didYouMean(name, names)}There are ${names.join(', ')}.`
    return [invalidInput(`${at}allowedUpstreams[${index}]`, `there is no upstream ${name}`, remedy)]
  })
  const isRouted = own.upstreams ?? own.aliases ?? own.modelRoutes ?? own.fallbacks
  return [
    ...(own.upstreams ? upstreamErrors({ upstreams: pickOwn(settings.upstreams, own.upstreams) }, at) : []),
    ...(isRouted ? routeErrors(settings, at) : []),
    ...retention,
    ...upstreams,
  ]
}

/** Those that a tenant says something of; what is wrong with the others is told once, for all. */
function pickOwn(merged: GatewayConfig['upstreams'], own: GatewayConfig['upstreams']): GatewayConfig['upstreams'] {
  return Object.fromEntries(Object.entries(merged).filter(([name]) => Object.hasOwn(own, name)))
}
