import { parseObject } from '../../core/index.ts'
import type { JsonObject } from '../../core/index.ts'
import type { RequestOverhead, RequestShape } from '../../tokens/index.ts'
import type { CountTokens, Kept, RenderedRequest, SimulatedCall, SimulatedDialect } from './dialect.ts'
import { echoAnswer } from './echo.ts'
import { answerEmbeddings } from './embeddings/answer-embeddings.ts'
import { generate } from './exchange.ts'
import { answerCachedContents } from './gemini/answer-cached-contents.ts'
import type { SimulatedModel } from './model.ts'
import { textOf } from './read-json.ts'
import type { SimulatedRequest } from './record.ts'
import { routeOf } from './routes.ts'
import type { Script, ScriptEntry, ScriptedAnswer } from './script.ts'
import { answerOf, scriptEntry } from './script.ts'
import type { Simulation } from './simulation.ts'
import type { ProviderProblem, ProviderHeaders, ProviderRequest, WireResponse } from './wire.ts'

export interface HandlerParts {
  readonly simulation: Simulation
  readonly script: Script
  readonly apiKeys?: readonly string[] | undefined
  readonly models: readonly string[]
  readonly count: CountTokens
  modelOf(id: string, dialect: SimulatedDialect): SimulatedModel | undefined
  overheadOf(shape: RequestShape, model: SimulatedModel): RequestOverhead
  mediaTokens(model: SimulatedModel, block: JsonObject): number
}

export type Handler = (request: ProviderRequest, record: SimulatedRequest, signal: AbortSignal) => Promise<WireResponse>

/** A header of a request may script its answer, as JSON; for tests across a socket. */
export const scriptHeader = 'x-simulate'

/** Routes, checks and answers requests in their dialect. */
export function handler(parts: HandlerParts): Handler {
  const { simulation } = parts
  let turns = 0

  async function answer(asked: Asked, signal: AbortSignal): Promise<WireResponse> {
    const { call, dialect, record, rendered } = asked
    // A script reads what the model does: a conversation that is kept here, too.
    const seen = call.body === record.json ? record : { ...record, json: call.body }
    const entry = headerEntry(record.headers) ?? scriptEntry(parts.script, seen, turns++)
    const scripted: ScriptedAnswer = entry === undefined ? echoAnswer(dialect, call) : withWords(entry, asked)
    return generate({ simulation, dialect, call, record, rendered, answer: scripted, signal })
  }

  return async (request, record, signal) => {
    const route = routeOf(request)
    const { dialect } = route
    const refuse = (problem: ProviderProblem): WireResponse => simulation.reject(record, dialect, problem)
    if (route.kind === 'unknown')
      return refuse({ status: 404, message: `No route for ${request.method} ${request.path}` })
    const stranger = authProblem(dialect, record.headers, parts.apiKeys)
    if (stranger !== undefined) return refuse(stranger)
    if (route.kind === 'models') return listModels({ parts, record, dialect, id: route.id })
    if (route.kind === 'contents') {
      const of = (body: JsonObject): SimulatedCall | ProviderProblem =>
        callOf({ parts, record, body, countOnly: true, dialect })
      return answerCachedContents({ simulation, record, id: route.id, callOf: of })
    }
    if (Buffer.byteLength(request.body) > dialect.maxBodyBytes)
      return refuse({ status: 413, message: 'Request exceeds the maximum size' })
    if (record.json === undefined) return refuse({ status: 400, message: 'The request body is not a JSON object.' })
    if (route.kind === 'embeddings')
      return answerEmbeddings({ simulation, record, body: record.json, count: parts.count })
    const json = { ...record.json, ...route.target }
    const kind = route.kind === 'generate' ? 'generate' : 'count'
    const bodies = dialect.tries?.(json) ?? [json]
    for (const body of bodies.slice(0, -1)) {
      const answered = await tried({ dialect, record, kind, body }, signal).catch(() => undefined)
      if (answered !== undefined && answered.status < 400) return answered
      record.state = 'open'
    }
    return tried({ dialect, record, kind, body: bodies.at(-1) ?? json }, signal)
  }

  /** A request of one model. */
  async function tried({ dialect, record, kind, body }: Try, signal: AbortSignal): Promise<WireResponse> {
    const refuse = (problem: ProviderProblem): WireResponse => simulation.reject(record, dialect, problem)
    const asked = dialect.goesOn?.(body, keptOf(simulation, record)) ?? { body }
    if ('problem' in asked) return refuse(asked.problem)
    const made = callOf({ parts, record, ...asked, countOnly: kind === 'count', dialect })
    if ('status' in made) return refuse(made)
    const call = dialect.route?.(made, simulation.routingOf(record)) ?? made
    if ('status' in call) return refuse(call)
    const problem = simulation.strict ? dialect.check(call) : dialect.checkShape(call)
    if (problem !== undefined) return refuse(problem)
    const rendered = dialect.render(call)
    const tooLong = dialect.checkTokens(simulation.strict ? call : unlimited(call, dialect), rendered.tokens)
    if (tooLong !== undefined) return refuse(tooLong)
    if (kind === 'generate') return answer({ call, dialect, record, rendered }, signal)
    simulation.finish(record, 'answered')
    return simulation.respond(record, dialect, dialect.tokenCount?.(rendered.tokens) ?? '{}')
  }
}

interface Try extends Pick<Asked, 'dialect' | 'record'> {
  readonly kind: 'generate' | 'count'
  readonly body: JsonObject
}

function keptOf(simulation: Simulation, { headers }: SimulatedRequest): Kept {
  const { contents, clock, tenantOf } = simulation
  return { replies: simulation.keptFor(headers), contents, tenant: tenantOf(headers), nowMs: clock.now() }
}

/** The same call where its answer may be as long as there is room. */
function unlimited(call: SimulatedCall, { limitFields }: SimulatedDialect): SimulatedCall {
  const members = Object.entries(call.body).filter(([name]) => !limitFields.includes(name))
  return { ...call, body: Object.fromEntries(members) }
}

interface Asked {
  readonly call: SimulatedCall
  readonly dialect: SimulatedDialect
  readonly record: SimulatedRequest
  readonly rendered: RenderedRequest
}

/** A fault alone says nothing; the request is echoed until it strikes. */
function withWords(entry: ScriptEntry, { dialect, call }: Asked): ScriptedAnswer {
  const scripted = answerOf(entry)
  return scripted.parts.length > 0 || scripted.fault === undefined
    ? scripted
    : { ...echoAnswer(dialect, call), fault: scripted.fault, ...paceOf(scripted) }
}

function paceOf({ firstByteMs, tokensPerSecond }: ScriptedAnswer): Partial<ScriptedAnswer> {
  return {
    ...(firstByteMs === undefined ? {} : { firstByteMs }),
    ...(tokensPerSecond === undefined ? {} : { tokensPerSecond }),
  }
}

function headerEntry(headers: ProviderHeaders): ScriptEntry | undefined {
  const text = headers[scriptHeader]
  return text === undefined ? undefined : parseObject(text)
}

function authProblem(
  dialect: SimulatedDialect,
  headers: ProviderHeaders,
  apiKeys: readonly string[] | undefined,
): ProviderProblem | undefined {
  const key = credentialOf(headers)
  if (key !== '' && (apiKeys === undefined || apiKeys.includes(key))) return undefined
  if (dialect.stranger !== undefined) return dialect.stranger(key)
  return { status: 401, message: key === '' ? 'No API key was provided.' : 'invalid API key' }
}

export function credentialOf(headers: ProviderHeaders): string {
  return (
    headers['x-api-key'] ?? headers['x-goog-api-key'] ?? (headers['authorization'] ?? '').replace(/^Bearer\s+/i, '')
  )
}

interface CallInput extends Pick<Asked, 'dialect' | 'record'> {
  readonly parts: HandlerParts
  readonly body: JsonObject
  readonly keptTokens?: number
  readonly countOnly: boolean
}

function callOf({ parts, record, body, keptTokens, countOnly, dialect }: CallInput): SimulatedCall | ProviderProblem {
  const id = body['model']
  if (typeof id !== 'string') return missingModel(dialect)
  const model = parts.modelOf(id, dialect)
  if (model === undefined || !dialect.providers.includes(model.provider)) return unknownModel(dialect, id)
  return {
    body,
    headers: record.headers,
    model,
    count: parts.count,
    overhead: parts.overheadOf(dialect.shape(body), model),
    mediaTokens: (block) => parts.mediaTokens(model, block),
    countOnly,
    ...(keptTokens !== undefined && { keptTokens }),
  }
}

function missingModel(dialect: SimulatedDialect): ProviderProblem {
  const anthropic = dialect.providers.includes('anthropic')
  return { status: 400, message: anthropic ? 'model: Field required' : 'you must provide a model parameter' }
}

function unknownModel(dialect: SimulatedDialect, id: string): ProviderProblem {
  if (dialect.unknownModel !== undefined) return dialect.unknownModel(id)
  if (dialect.providers.includes('anthropic')) return { status: 404, message: `model: ${id}` }
  const message = `The model \`${id}\` does not exist or you do not have access to it.`
  return { status: 404, message, param: 'model', code: 'model_not_found' }
}

interface ListInput extends Pick<Asked, 'dialect' | 'record'> {
  readonly parts: HandlerParts
  readonly id: string | undefined
}

function listModels({ parts, record, dialect, id }: ListInput): WireResponse {
  const { simulation } = parts
  const { list, entry, ids = parts.models } = dialect.listing
  const known = (id === undefined ? ids : [id]).flatMap((name) => parts.modelOf(name, dialect) ?? [])
  const isServed = ({ provider, info }: SimulatedModel): boolean =>
    dialect.providers.includes(provider) &&
    (id !== undefined || provider === 'openrouter' || dialect.providers.some((own) => own === info.provider))
  const listed = known.filter(isServed)
  if (id !== undefined && listed[0] === undefined)
    return simulation.reject(record, dialect, unknownModel(dialect, textOf(id) ?? ''))
  simulation.finish(record, 'answered')
  const entries = listed.map((model) => entry(model, record.startMs, simulation.strict))
  return simulation.respond(record, dialect, JSON.stringify(id === undefined ? list(entries) : entries[0]))
}
