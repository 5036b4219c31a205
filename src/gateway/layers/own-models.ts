import { isJsonObject, parseObject } from '../../core/index.ts'
import type { ModelList } from '../../codecs/index.ts'
import { wildcards } from '../access/allowed-routes.ts'
import type { GatewayConfig } from '../config.ts'
import { modelOf } from '../model-routes.ts'
import { isSuccess, readOrPass, wholeReply } from '../outlet/reply.ts'
import type { Reply } from '../outlet/reply.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Layer } from '../exchange/layer.ts'

type ModelNames = Pick<GatewayConfig, 'aliases' | 'modelRoutes'>

/**
 * Adds the names that a gateway has of its own, aliases and those that a model is chosen for, to a provider's list of models, and leaves out
 * what the key that asks may not use.
 */
export function ownModelsLayer(settings: (tenant: string) => ModelNames): Layer {
  return {
    name: 'own-models',
    failure: 'open',
    appliesTo: (exchange) => {
      const { allowedModels } = exchange.principal
      return isList(exchange) && (allowedModels !== undefined || namesOf(settings(exchange.tenant)).length > 0)
    },
    handle: async (exchange, next) => {
      const reply = await next(exchange)
      const list = exchange.codec.signs.modelList
      if (!list || !isSuccess(reply)) return reply
      const takes = listedTo(exchange)
      const names = settings(exchange.tenant)
      const own = namesOf(names).filter((name) => targetsOf(name, names, exchange).some(takes))
      return withNames(reply, list, { own, takes })
    },
  }
}

function namesOf({ aliases, modelRoutes }: ModelNames): readonly string[] {
  return [...new Set([...Object.keys(modelRoutes), ...Object.keys(aliases)])]
}

/** The models that may be asked in the end where a name is. */
function targetsOf(name: string, { aliases, modelRoutes }: ModelNames, { codec }: Exchange): readonly string[] {
  const route = Object.hasOwn(modelRoutes, name) ? modelRoutes[name] : undefined
  if (route === undefined) return [aliases[name] ?? name]
  return (['T1', 'T2'] as const).map((tier) => modelOf(route, tier, codec.dialect))
}

/** Tells which models a key may see. A list does not say where a model is, so that the place before a name counts for nothing. */
function listedTo({ principal: { allowedModels } }: Exchange): (model: string) => boolean {
  if (allowedModels === undefined) return () => true
  const bare = (name: string): string => name.replace(/^(?:models|[a-z][a-z0-9._-]*)\/(?=.)/, '')
  const takes = wildcards([...allowedModels, ...allowedModels.map(bare)])
  return (model) => takes(model) || takes(bare(model))
}

/** Not of one model: that is asked for by the provider's name. */
function isList({ kind, method, wire }: Exchange): boolean {
  return kind === 'plain' && method === 'GET' && ((wire.path ?? '').split('?', 1)[0] ?? '').endsWith('/models')
}

interface Listed {
  readonly own: readonly string[]
  readonly takes: (model: string) => boolean
}

/** What cannot be read, or is no list, stays as it is. Names of our own stand on the last page. */
async function withNames(
  reply: Reply,
  { member, name, hasMore, entry }: ModelList,
  { own, takes }: Listed,
): Promise<Reply> {
  const body = await readOrPass(reply)
  if ('problem' in body) return { ...reply, pieces: body.pieces }
  const { status } = reply
  const list = parseObject(body.text)
  const models = list?.[member]
  if (!list || !Array.isArray(models)) return wholeReply(body, reply)
  const shown = models.filter((model) => takes(String(isJsonObject(model) ? model[name] : '')))
  const known = new Set(shown.map((model) => (isJsonObject(model) ? model[name] : undefined)))
  const added = hasMore(list) ? [] : own.map(entry).filter((model) => !known.has(model[name]))
  if (added.length === 0 && shown.length === models.length) return wholeReply(body, reply)
  const text = JSON.stringify({ ...list, [member]: [...shown, ...added] })
  return { ...wholeReply({ text }), status }
}
