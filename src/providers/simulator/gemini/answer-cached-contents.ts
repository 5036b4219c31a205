import type { JsonObject } from '../../../core/index.ts'
import { objectOf, textOf } from '../read-json.ts'
import type { SimulatedRequest } from '../record.ts'
import type { Simulation } from '../simulation.ts'
import type { SimulatedCall } from '../dialect.ts'
import type { ProviderProblem, WireResponse } from '../wire.ts'
import { contentsOf, systemParts } from './body.ts'
import { contentNotFound, contentResource, expiryOf, promptOf } from './cached-contents.ts'
import type { StoredContent } from './cached-contents.ts'
import { geminiDialect } from './dialect.ts'
import { invalid } from './invalid.ts'

export interface AskedOfContents {
  readonly simulation: Simulation
  readonly record: SimulatedRequest
  /** Absent for all of them. */
  readonly id?: string | undefined
  /** The prompt of a model of this id, or why there is none. */
  callOf(body: JsonObject): SimulatedCall | ProviderProblem
}

/** Makes, shows, lists, prolongs and deletes what is cached by name. */
export function answerCachedContents(asked: AskedOfContents): WireResponse {
  const { simulation, record } = asked
  const answer = answers[record.method]?.(asked) ?? { status: 404, message: `No ${record.method} here` }
  if ('status' in answer) return simulation.reject(record, geminiDialect, answer as ProviderProblem)
  simulation.finish(record, 'answered')
  return simulation.respond(record, geminiDialect, JSON.stringify(answer))
}

const answers: Readonly<Record<string, (asked: AskedOfContents) => JsonObject | ProviderProblem>> = {
  POST: (asked) => (asked.id === undefined ? created(asked) : { status: 404, message: 'Not found.' }),
  GET: (asked) => (asked.id === undefined ? listed(asked) : about(asked, contentResource)),
  PATCH: (asked) => about(asked, (content) => prolonged(asked, content)),
  DELETE: (asked) =>
    about(asked, ({ name }) => {
      asked.simulation.contents.change(name, { deletedMs: asked.simulation.clock.now() })
      return {}
    }),
}

function about(
  { simulation, record, id }: AskedOfContents,
  tell: (content: StoredContent) => JsonObject | ProviderProblem,
): JsonObject | ProviderProblem {
  const { contents, clock, tenantOf } = simulation
  const found = contents.find(tenantOf(record.headers), `cachedContents/${id ?? ''}`, clock.now())
  return found === undefined ? contentNotFound : tell(found)
}

function listed({ simulation: { contents, clock, tenantOf }, record }: AskedOfContents): JsonObject {
  const own = contents.listed(tenantOf(record.headers), clock.now())
  return own.length === 0 ? {} : { cachedContents: own.map(contentResource) }
}

/** Nothing but its end can be changed. */
function prolonged({ simulation, record }: AskedOfContents, content: StoredContent): JsonObject | ProviderProblem {
  const nowMs = simulation.clock.now()
  const body = objectOf(record.json)
  const other = Object.keys(body).find((name) => !['ttl', 'expireTime', 'expire_time'].includes(name))
  if (other !== undefined) return invalid(`Only ttl and expire_time can be updated, not ${other}.`)
  const expiresMs = expiryOf(body, nowMs)
  if (typeof expiresMs !== 'number') return expiresMs
  const changed = simulation.contents.change(content.name, { expiresMs, updatedMs: nowMs })
  return changed === undefined ? contentNotFound : contentResource(changed)
}

function created({ simulation, record, callOf }: AskedOfContents): JsonObject | ProviderProblem {
  const body = objectOf(record.json)
  const model = (textOf(body['model']) ?? '').replace(/^models\//, '')
  if (model === '') return invalid('* CreateCachedContentRequest.model: unexpected model name format')
  if (contentsOf(body).length === 0 && systemParts(body).length === 0) return invalid('cached content is empty')
  const call = callOf({ ...promptOf(body), model })
  if ('status' in call) return call
  const { tokens } = geminiDialect.render(call)
  const { minTokens } = call.model.info.cache
  if (tokens < minTokens) {
    const counts = `total_token_count=${tokens}, min_total_token_count=${minTokens}`
    return invalid(`Cached content is too small. ${counts}`)
  }
  const nowMs = simulation.clock.now()
  const expiresMs = expiryOf(body, nowMs)
  if (typeof expiresMs !== 'number') return expiresMs
  // What is made is billed as input.
  record.usage = { inputTokens: tokens, outputTokens: 0 }
  const content: StoredContent = {
    name: `cachedContents/${simulation.newId('')}`,
    tenant: simulation.tenantOf(record.headers),
    model,
    body,
    tokens,
    createdMs: nowMs,
    updatedMs: nowMs,
    expiresMs,
  }
  simulation.contents.add(content)
  return contentResource(content)
}
