import { z } from 'zod'
import type { Dialect, ModelTier, PrehendError } from '../core/index.ts'
import { invalidInput } from '../core/index.ts'
import { dialectName } from './dialect-name.ts'
import { namesVendors, providerNames } from '../providers/index.ts'

const modelName = z.string().min(1).max(200)

const ofTier = z
  .union([modelName, z.record(dialectName, modelName)], {
    error: 'is neither the name of a model nor an object with one for each dialect',
  })
  .refine((said) => typeof said === 'string' || Object.keys(said).length > 0, 'names no model')

/** Names that clients ask for where a policy is to choose the model, and the models that there are to choose from. */
export const modelRoutes = z.record(
  z.string().min(1).max(200),
  z.strictObject({
    cheap: ofTier.describe(
      'Of tier T1: a model with `UPSTREAM/` before it or not, or one for each dialect of clients.',
    ),
    dear: ofTier.describe('Of tier T2, in the same words.'),
  }),
)

export type ModelRoutes = z.output<typeof modelRoutes>
export type ModelRoute = ModelRoutes[string]

/** Who speaks one of these speaks the other: what is named for one goes before another provider's. */
const siblings: Readonly<Partial<Record<Dialect, Dialect>>> = {
  'openai-chat': 'openai-responses',
  'openai-responses': 'openai-chat',
}

/**
 * The name of the model of a tier, for clients of a dialect: where none is named for it, the one for OpenAI's other dialect, else the first
 * that there is.
 */
export function modelOf(route: ModelRoute, tier: Exclude<ModelTier, 'T0'>, dialect: Dialect): string {
  const said = tier === 'T1' ? route.cheap : route.dear
  if (typeof said === 'string') return said
  const sibling = siblings[dialect]
  return said[dialect] ?? (sibling && said[sibling]) ?? namesIn(said)[0] ?? ''
}

function namesIn(said: ModelRoute['cheap']): readonly string[] {
  return typeof said === 'string' ? [said] : Object.values(said).filter((name) => name !== undefined)
}

/** What decides whether a model of a route can be asked. */
interface RoutedConfig {
  readonly modelRoutes: ModelRoutes
  readonly aliases: Readonly<Record<string, string>>
  readonly fallbacks: Readonly<Record<string, readonly string[]>>
  readonly upstreams: Readonly<Record<string, { readonly models?: readonly string[] | undefined }>>
}

/** What is wrong with names of models: a routed name is a model's nowhere else, and each model has an upstream. */
export function routeErrors(config: RoutedConfig, at = ''): readonly PrehendError[] {
  const { modelRoutes: routes, aliases, fallbacks, upstreams } = config
  const errorOf = (field: string, name: string): readonly PrehendError[] => {
    const model = Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name
    const unknown = unknownUpstream(model, upstreams)
    if (unknown === undefined) return []
    return [invalidInput(field, `there is no upstream ${unknown}`, `There are ${Object.keys(upstreams).join(', ')}.`)]
  }
  const ofRoutes = Object.entries(routes).flatMap(([name, route]) => [
    ...(Object.hasOwn(aliases, name)
      ? [invalidInput(`${at}aliases.${name}`, 'is a name that models are chosen for', 'Give the alias another name.')]
      : []),
    ...(['cheap', 'dear'] as const).flatMap((tier) =>
      namesIn(route[tier]).flatMap((model) => {
        const field = `${at}modelRoutes.${name}.${tier}`
        if (!Object.hasOwn(routes, model)) return errorOf(field, model)
        return [invalidInput(field, `${model} is no model but a route`, 'Name a model.')]
      }),
    ),
  ])
  const ofAliases = Object.entries(aliases).flatMap(([name, model]) => {
    const loop = loopFrom(name, aliases)
    const field = `${at}aliases.${name}`
    if (loop === undefined) return errorOf(field, model)
    return [invalidInput(field, `leads back to itself (${loop.join(', ')})`, 'Name a model of a provider.')]
  })
  const ofFallbacks = Object.entries(fallbacks).flatMap(([name, others]) =>
    others.flatMap((model, index) => {
      const field = `${at}fallbacks.${name}[${index}]`
      return model === name ? [invalidInput(field, 'is the model itself', 'Name another.')] : errorOf(field, model)
    }),
  )
  return [...ofRoutes, ...ofAliases, ...ofFallbacks]
}

/** The names from an alias back to itself, where what they stand for leads there. */
function loopFrom(name: string, aliases: RoutedConfig['aliases']): readonly string[] | undefined {
  const names = [name]
  for (let at = aliases[name]; at !== undefined && Object.hasOwn(aliases, at); at = aliases[at]) {
    if (at === name) return [...names, name]
    if (names.includes(at)) return undefined
    names.push(at)
  }
  return undefined
}

/**
 * The upstream that a name stands before that is none of those configured. Names with a slash are whole names of models at servers of one's own,
 * at upstreams of many vendors, and where an upstream says which models it takes.
 */
function unknownUpstream(model: string, upstreams: RoutedConfig['upstreams']): string | undefined {
  const [prefix = '', rest] = model.split('/', 2)
  const all = Object.entries(upstreams)
  if (rest === undefined || prefix === 'models' || all.length === 0 || Object.hasOwn(upstreams, prefix))
    return undefined
  const isOpen = ([name, { models }]: (typeof all)[number]): boolean =>
    models !== undefined || namesVendors(name) || !providerNames.some((known) => known === name)
  return all.some(isOpen) ? undefined : prefix
}
