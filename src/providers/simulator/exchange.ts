import type { Usage } from '../../core/index.ts'
import type { CacheModel, OpenedRequest } from '../cache/cache-model.ts'
import { completeAnswer } from './complete.ts'
import type { Completion, RenderedRequest, SimulatedCall, SimulatedDialect } from './dialect.ts'
import type { Simulation } from './simulation.ts'
import { aborted, paced } from './paced.ts'
import type { SimulatedRequest } from './record.ts'
import type { Fault, ScriptedAnswer } from './script.ts'
import { answerOf } from './script.ts'
import type { ProviderProblem, WireResponse } from './wire.ts'
import { connectionDied } from './wire.ts'

interface Generation {
  readonly simulation: Simulation
  readonly dialect: SimulatedDialect
  readonly call: SimulatedCall
  readonly record: SimulatedRequest
  readonly rendered: RenderedRequest
  readonly answer: ScriptedAnswer
  readonly signal: AbortSignal
}

/** Looks up the cache, writes the answer, and sends it at its pace. */
export async function generate(generation: Generation): Promise<WireResponse> {
  const { simulation, dialect, record, answer, signal } = generation
  const { fault } = answer
  if (fault?.kind === 'hang' && fault.afterChunks === undefined) return aborted(signal)
  if (fault?.kind === 'connection-death' && fault.afterChunks === undefined) throw connectionDied
  if (fault?.kind === 'error') {
    await simulation.clock.wait(answer.firstByteMs ?? simulation.firstByteMs, signal)
    return simulation.reject(record, dialect, problemOf(fault, 500))
  }
  const { completion, opened } = prepare(generation)
  record.usage = completion.usage
  await simulation.clock.wait(answer.firstByteMs ?? simulation.firstByteMs, signal)
  record.firstByteMs = simulation.clock.now()
  opened?.commit(record.firstByteMs)
  dialect.holds?.(completion, simulation.routingOf(record))
  const kept = dialect.keeps?.(completion)
  if (kept) simulation.keptFor(record.headers).set(completion.id, kept)
  return generation.call.body['stream'] === true ? streamed(generation, completion) : whole(generation, completion)
}

function problemOf(fault: Fault & { readonly kind: 'error' | 'stream-error' }, defaultStatus: number): ProviderProblem {
  const { kind: _, ...given } = { status: defaultStatus, ...fault }
  return { ...given, message: given.message ?? messages[given.status] ?? 'The request failed.' }
}

const messages: Readonly<Record<number, string>> = {
  429: 'Rate limit reached. Please try again later.',
  500: 'Internal server error',
  503: 'The service is temporarily overloaded. Please try again later.',
  529: 'Overloaded',
}

interface Prepared {
  readonly completion: Completion
  readonly opened: OpenedRequest | undefined
}

function prepare({ simulation, dialect, call, record, rendered, answer }: Generation): Prepared {
  const parts = dialect
    .possible(call, answerOf(answer).parts)
    .map((part) =>
      part.type === 'tool-call' ? { ...part, id: part.id ?? simulation.newId(dialect.toolIdPrefix) } : part,
    )
  const limits = dialect.limits(call, rendered.tokens)
  const answered = completeAnswer({ call, parts, limits, fault: answer.fault })
  const choices = dialect.choices?.(call) ?? 1
  const plain: Usage = { inputTokens: rendered.tokens, outputTokens: answered.outputTokens * choices }
  const id = simulation.newId(dialect.replyIdPrefix)
  const thinkingTokens = answered.thinkingTokens * choices
  const draft = { ...answered, thinkingTokens, id, createdMs: record.startMs, call, usage: plain }
  const opened = cacheFor(simulation, call, rendered)?.open({
    blocks: rendered.blocks,
    key: JSON.stringify([simulation.tenantOf(call.headers), call.model.id, rendered.cacheKey]),
    nowMs: record.startMs,
    outputTokens: plain.outputTokens,
    reply: dialect.renderReply(draft),
    ...(rendered.implicitTtlMs === undefined ? {} : { ttlMs: rendered.implicitTtlMs }),
    ...(rendered.cacheMode === undefined ? {} : { mode: rendered.cacheMode }),
  })
  const diagnostics = simulation.remember({ call, dialect, rendered, id })
  return { completion: { ...draft, usage: opened?.usage ?? withKept(call, plain), diagnostics }, opened }
}

/** What goes on from something that was cached by name reads that, and nothing besides. */
function cacheFor(
  simulation: Simulation,
  call: SimulatedCall,
  { cacheRules }: RenderedRequest,
): CacheModel | undefined {
  return call.keptTokens === undefined ? simulation.cacheOf(call.model, cacheRules) : undefined
}

function withKept({ keptTokens }: SimulatedCall, usage: Usage): Usage {
  return keptTokens === undefined
    ? usage
    : { ...usage, cacheReadTokens: Math.min(keptTokens, usage.inputTokens), cacheWriteTokens: 0 }
}

async function whole(generation: Generation, completion: Completion): Promise<WireResponse> {
  const { simulation, dialect, record, answer, signal } = generation
  const { fault } = answer
  if (fault?.kind === 'hang') return aborted(signal)
  if (fault?.kind === 'connection-death') throw connectionDied
  if (fault?.kind === 'stream-error') return simulation.reject(record, dialect, problemOf(fault, 529))
  const pace = answer.tokensPerSecond ?? simulation.tokensPerSecond
  if (pace !== undefined) await simulation.clock.wait((completion.usage.outputTokens * 1000) / pace, signal)
  simulation.finish(record, 'answered')
  return simulation.respond(record, dialect, dialect.json(completion))
}

function streamed({ simulation, dialect, record, answer, signal }: Generation, completion: Completion): WireResponse {
  const body = paced(dialect.chunks(completion), {
    clock: simulation.clock,
    tokensPerSecond: answer.tokensPerSecond ?? simulation.tokensPerSecond,
    fault: answer.fault,
    signal,
    errorEvent: (fault) => dialect.streamError(simulation.worded(problemOf(fault, 529)), record.id, completion),
    onEnd: (complete) => simulation.finish(record, endState(complete, signal, answer.fault)),
  })
  return simulation.respond(record, dialect, body, dialect.streamType)
}

function endState(complete: boolean, signal: AbortSignal, fault: Fault | undefined) {
  if (complete) return 'answered'
  const broken = fault?.kind === 'stream-error' || fault?.kind === 'connection-death'
  return broken && !signal.aborted ? 'failed' : 'aborted'
}
