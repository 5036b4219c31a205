import { isJsonObject, parseObject } from '../../core/index.ts'
import type { ModelList } from '../../codecs/index.ts'
import type { GatewayConfig } from '../config.ts'
import { isSuccess, readOrPass, wholeReply } from '../outlet/reply.ts'
import type { Reply } from '../outlet/reply.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Layer } from '../exchange/layer.ts'

/** Adds the names that a gateway has of its own, aliases and those that a model is chosen for, to a provider's list of models. */
export function ownModelsLayer(settings: (tenant: string) => Pick<GatewayConfig, 'aliases' | 'modelRoutes'>): Layer {
  const namesOf = (tenant: string): readonly string[] => {
    const { aliases, modelRoutes } = settings(tenant)
    return [...new Set([...Object.keys(modelRoutes), ...Object.keys(aliases)])]
  }
  return {
    name: 'own-models',
    failure: 'open',
    appliesTo: (exchange) => isList(exchange) && namesOf(exchange.tenant).length > 0,
    handle: async (exchange, next) => {
      const reply = await next(exchange)
      const list = exchange.codec.signs.modelList
      return list && isSuccess(reply) ? withNames(reply, list, namesOf(exchange.tenant)) : reply
    },
  }
}

/** Not of one model: that is asked for by the provider's name. */
function isList({ kind, method, wire }: Exchange): boolean {
  return kind === 'plain' && method === 'GET' && ((wire.path ?? '').split('?', 1)[0] ?? '').endsWith('/models')
}

/** What cannot be read, or is no list, stays as it is; so does a page behind which another one follows. */
async function withNames(
  reply: Reply,
  { member, name, hasMore, entry }: ModelList,
  own: readonly string[],
): Promise<Reply> {
  const body = await readOrPass(reply)
  if ('problem' in body) return { ...reply, pieces: body.pieces }
  const { status } = reply
  const list = parseObject(body.text)
  const models = list?.[member]
  if (!list || !Array.isArray(models) || hasMore(list)) return wholeReply(body, reply)
  const known = new Set(models.map((model) => (isJsonObject(model) ? model[name] : undefined)))
  const added = own.map(entry).filter((model) => !known.has(model[name]))
  const text = JSON.stringify({ ...list, [member]: [...models, ...added] })
  return { ...wholeReply({ text }), status }
}
