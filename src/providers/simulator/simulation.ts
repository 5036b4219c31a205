import type { JsonObject } from '../../core/index.ts'
import type { CacheModel } from '../cache/cache-model.ts'
import { cacheModelFor } from '../cache/cache-model.ts'
import type { CacheRules } from '../../tokens/index.ts'
import type { SimulationClock } from './clock.ts'
import type {
  KeptReply,
  RememberedRequest,
  RenderedRequest,
  Routing,
  SimulatedCall,
  SimulatedDialect,
} from './dialect.ts'
import { cachedContents } from './gemini/cached-contents.ts'
import type { CachedContents } from './gemini/cached-contents.ts'
import type { SimulatedModel } from './model.ts'
import { simulatedName } from './model.ts'
import { stickyRoutes } from './openrouter/sticky-routes.ts'
import type { SimulatedRequest, RequestState } from './record.ts'
import type { ProviderProblem, ProviderHeaders, WireResponse } from './wire.ts'

export interface SimulationOptions {
  readonly clock: SimulationClock
  readonly firstByteMs: number
  readonly tokensPerSecond?: number | undefined
  /** Who a request belongs to; caches are not shared between tenants. */
  tenantOf(headers: ProviderHeaders): string
  readonly missRate?: number | undefined
  readonly seed?: number | undefined
  readonly strict: boolean
}

/** What a simulated provider remembers between requests, and how it closes them. */
export interface Simulation extends SimulationOptions {
  newId(prefix: string): string
  /** Absent for a model that caches nothing. */
  cacheOf(model: SimulatedModel, rules?: CacheRules): CacheModel | undefined
  /** What callers keep here by name. */
  readonly contents: CachedContents
  /** What is needed to say who serves a request, as of now. */
  routingOf(record: Pick<SimulatedRequest, 'headers'>): Routing
  remember(request: RememberInput): JsonObject | null
  /** The answers that are kept for whoever these headers are of. */
  keptFor(headers: ProviderHeaders): Map<string, KeptReply>
  finish(record: SimulatedRequest, state: RequestState): void
  respond(record: SimulatedRequest, dialect: SimulatedDialect, body: WireResponse['body'], type?: string): WireResponse
  reject(record: SimulatedRequest, dialect: SimulatedDialect, problem: ProviderProblem): WireResponse
  /** A problem in the words that the client gets. */
  worded(problem: ProviderProblem): ProviderProblem
}

interface RememberInput {
  readonly call: SimulatedCall
  readonly dialect: SimulatedDialect
  readonly rendered: RenderedRequest
  readonly id: string
}

const rememberedAtMost = 256

export function simulation(options: SimulationOptions): Simulation {
  const caches = new Map<string, CacheModel | undefined>()
  const remembered = new Map<string, RememberedRequest>()
  const kept = new Map<string, Map<string, KeptReply>>()
  const routes = stickyRoutes()
  const contents = cachedContents()
  let ids = 0

  function finish(record: SimulatedRequest, state: RequestState): void {
    if (record.state !== 'open') return
    record.state = state
    record.endMs = options.clock.now()
  }

  function worded(problem: ProviderProblem): ProviderProblem {
    return options.strict ? problem : { ...problem, message: `(${simulatedName}) ${problem.message}` }
  }

  return {
    ...options,
    newId: (prefix) => `${prefix}sim${String(++ids).padStart(8, '0')}`,
    contents,
    routingOf: ({ headers }) => ({ routes, tenant: options.tenantOf(headers), nowMs: options.clock.now() }),
    cacheOf(model, rules = model.info.cache) {
      const name = JSON.stringify([model.id, rules.kind])
      if (caches.has(name)) return caches.get(name)
      const { missRate = 0, seed = 0 } = options
      const made = cacheModelFor(rules, { missRate, seed })
      caches.set(name, made)
      return made
    },
    remember({ call, dialect, rendered, id }) {
      if (dialect.diagnose === undefined || call.body['diagnostics'] == null) return null
      const diagnosis = dialect.diagnose(rendered, call, (earlier) => remembered.get(earlier))
      if (remembered.size >= rememberedAtMost) remembered.clear()
      remembered.set(id, { model: call.model.id, rendered })
      return diagnosis
    },
    keptFor(headers) {
      const tenant = options.tenantOf(headers)
      const own = kept.get(tenant) ?? new Map<string, KeptReply>()
      kept.set(tenant, own)
      return own
    },
    finish,
    respond(record, dialect, body, type = 'text/event-stream; charset=utf-8') {
      record.status = 200
      const contentType = typeof body === 'string' ? 'application/json' : type
      return { status: 200, headers: headersOf({ record, dialect, contentType }), body }
    },
    reject(record, dialect, problem) {
      record.status = problem.status
      finish(record, 'rejected')
      const headers = headersOf({ record, dialect, contentType: 'application/json', problem })
      return { status: problem.status, headers, body: dialect.error(worded(problem), record.id) }
    },
    worded,
  }
}

interface HeaderInput {
  readonly record: SimulatedRequest
  readonly dialect: SimulatedDialect
  readonly contentType: string
  readonly problem?: ProviderProblem
}

function headersOf({ record, dialect, contentType, problem }: HeaderInput): ProviderHeaders {
  return {
    ...dialect.headers,
    'x-prehend-simulated': 'true',
    'content-type': contentType,
    [dialect.requestIdHeader]: record.id,
    ...(contentType.startsWith('text/event-stream') ? { 'cache-control': 'no-cache' } : {}),
    ...(problem?.retryAfterSeconds === undefined ? {} : { 'retry-after': String(problem.retryAfterSeconds) }),
  }
}
