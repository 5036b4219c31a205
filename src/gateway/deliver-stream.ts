import type { UpstreamReply } from '../providers/index.ts'
import { PrehendError } from '../core/index.ts'
import type { Usage } from '../core/index.ts'
import { encodeSse, sseParser } from '../codecs/index.ts'
import type { SpliceState, SpliceStep, SseEvent, StreamEnd, StreamSplicer } from '../codecs/index.ts'
import { responseHeaders } from './forward-headers.ts'
import { hiddenRounds } from './hidden-rounds.ts'
import type { HiddenRounds } from './hidden-rounds.ts'
import { readAll } from './read-all.ts'
import { rehydrateTool } from './rehydrate-tool.ts'
import { toPrehendError } from './respond.ts'
import { isSuccess, sumUsage } from './turn.ts'
import type { ToolOffer, Turn, TurnEnd } from './turn.ts'
import { writeOut } from './write-out.ts'

/**
 * Delivers a stream as it comes. Once it has begun it ends in an error event rather than in an exception. It does not end
 * before what its headers promise is stored.
 */
export async function deliverStream(turn: Turn, first: UpstreamReply): Promise<TurnEnd> {
  const { response, offer } = turn
  response.writeHead(first.status, {
    ...responseHeaders(first.headers),
    ...(turn.headers as Record<string, string>),
    'cache-control': 'no-cache',
  })
  // Headers go with the first bytes where those are there already, which saves a packet, and alone where they are not.
  setImmediate(() => response.flushHeaders())
  const end = offer ? await splice(turn, offer, first) : await relay(turn, first)
  await turn.stored
  response.end()
  return end
}

/** Bytes through, untouched save for markers of ours in calls; read on the side for what they report. */
async function relay(turn: Turn, { status, body }: UpstreamReply): Promise<TurnEnd> {
  const parser = sseParser()
  const reducer = turn.codec.reducer()
  let state = reducer.initial
  const fold = async (events: readonly SseEvent[]): Promise<void> => {
    for (const event of events) state = reducer.step(state, event)
    if (turn.markers) await write(turn, events)
  }
  let failure: PrehendError | undefined
  try {
    for await (const chunk of body) {
      if (!turn.markers) await writeOut(turn.response, chunk)
      await fold(parser.push(chunk))
    }
    await fold(parser.end())
    await writeHeld(turn)
    if (!state.ended) failure = brokenOff()
  } catch (error) {
    failure = turn.signal.aborted ? clientGone() : toPrehendError(error)
  }
  if (failure) await writeFailure(turn, failure)
  const { usage } = reducer.reply(state)
  return {
    status,
    rehydrations: 0,
    isAbandoned: turn.signal.aborted,
    ...(usage && { usage }),
    ...(failure && { failure }),
  }
}

/** Joins the streams of all rounds into one, in which our own tool does not occur. */
async function splice(turn: Turn, offer: ToolOffer, first: UpstreamReply): Promise<TurnEnd> {
  const splicer = turn.codec.splicer()
  const rounds = hiddenRounds(turn, offer)
  const usages: (Usage | undefined)[] = []
  let failure: PrehendError | undefined
  try {
    failure = await spliceRounds({ turn, splicer, rounds, usages }, first)
  } catch (error) {
    failure = turn.signal.aborted ? clientGone() : toPrehendError(error)
  }
  if (failure) await writeFailure(turn, failure)
  const usage = sumUsage(usages)
  return {
    status: first.status,
    rehydrations: rounds.answered,
    isAbandoned: turn.signal.aborted,
    ...(usage && { usage }),
    ...(failure && { failure }),
  }
}

interface Splicing {
  readonly turn: Turn
  readonly splicer: StreamSplicer
  readonly rounds: HiddenRounds
  readonly usages: (Usage | undefined)[]
}

async function spliceRounds(splicing: Splicing, first: UpstreamReply): Promise<PrehendError | undefined> {
  const { turn, splicer, rounds, usages } = splicing
  let state = splicer.begin(rehydrateTool.name)
  let reply = first
  for (;;) {
    const pumped = await pump(splicing, state, reply.body)
    usages.push(pumped.end?.reply.usage)
    if (!pumped.end) return undefined
    if (pumped.end.reply.failure) return pumped.cut ? brokenOff() : undefined
    if (!pumped.end.mustContinue) return undefined
    const next = await rounds.next(pumped.end)
    if (!next) {
      await rounds.file(pumped.end)
      await write(turn, splicer.finish(pumped.state))
      return undefined
    }
    if (!isSuccess(next)) return refusedMidway(next, await readAll(next.body))
    reply = next
    state = splicer.resume(pumped.state)
  }
}

interface Pumped {
  readonly state: SpliceState
  readonly end?: StreamEnd
  /** The connection closed before the stream's last event. */
  readonly cut: boolean
}

/** One upstream stream, to its end. What was hidden in it is filed before the client learns that it ended. */
async function pump(splicing: Splicing, begun: SpliceState, body: UpstreamReply['body']): Promise<Pumped> {
  const { turn, splicer, rounds } = splicing
  const parser = sseParser()
  let state = begun
  let end: StreamEnd | undefined
  /** What one chunk brings goes out in one piece. */
  const take = async (steps: Iterable<SpliceStep>): Promise<void> => {
    let forward: SseEvent[] = []
    for (const step of steps) {
      state = step.state
      if (step.end && !end) {
        end = step.end
        await write(turn, forward)
        forward = []
        await turn.stored
        if (!end.mustContinue) await rounds.file(end)
      }
      forward.push(...step.forward)
    }
    await write(turn, forward)
  }
  function* stepsOf(events: readonly SseEvent[]): Generator<SpliceStep> {
    for (const event of events) yield splicer.step(state, event)
  }
  for await (const chunk of body) await take(stepsOf(parser.push(chunk)))
  await take(stepsOf(parser.end()))
  const cut = !end
  if (!end) await writeHeld(turn)
  await take([splicer.close(state)])
  return { state, cut, ...(end && { end }) }
}

async function write({ response, markers }: Turn, events: readonly SseEvent[]): Promise<void> {
  if (events.length === 0) return
  const guarded = markers ? await markers.events(events) : events
  await writeOut(response, guarded.map(encodeSse).join(''))
}

/** What is held back of a call when its stream stops. */
async function writeHeld({ response, markers }: Turn): Promise<void> {
  const events = (await markers?.end()) ?? []
  if (events.length > 0) await writeOut(response, events.map(encodeSse).join(''))
}

async function writeFailure(turn: Turn, failure: PrehendError): Promise<void> {
  if (turn.signal.aborted) return
  await write(turn, turn.codec.encodeStreamError(failure, turn.requestId))
}

function brokenOff(): PrehendError {
  const remedy = 'Send the request again.'
  return new PrehendError('upstream-broken', `The provider's stream broke off before its end. ${remedy}`, { remedy })
}

function clientGone(): PrehendError {
  const remedy = 'Nothing needs to be done.'
  return new PrehendError('upstream-broken', 'The client closed the connection.', { remedy })
}

/** A request that brought our answers was refused; the client's stream has begun, so it cannot get the status any more. */
function refusedMidway({ status }: UpstreamReply, body: Buffer): PrehendError {
  const remedy = 'Send the request again.'
  const said = body.toString('utf8').slice(0, 500)
  return new PrehendError('upstream-broken', `The provider answered ${status} midway: ${said}`, { remedy })
}
