import { PrehendError } from '../../../core/index.ts'
import { sumUsage } from '../../../sessions/index.ts'
import { rewrittenEvents } from '../../../codecs/index.ts'
import type { SpliceState, SpliceStep, SseEvent, StreamEnd, StreamSplicer } from '../../../codecs/index.ts'
import { bodyOf, isSuccess } from '../../outlet/reply.ts'
import type { Reply, ReplyPiece } from '../../outlet/reply.ts'
import { brokenOff, endedIn } from '../../outlet/stream-watch.ts'
import { replyTooLong } from '../../outlet/unreadable.ts'
import { holdFor } from './call-hold.ts'
import type { CallHold } from './call-hold.ts'
import type { HiddenTurns } from './hidden-turns.ts'

/** One stream out of those of all rounds, in which our own tool does not occur. */
export function splicedReply(turn: HiddenTurns, first: Reply): Reply {
  const splicer = turn.codec.splicer()
  const splicing: Splicing = {
    turn,
    splicer,
    heldChars: 0,
    state: splicer.begin(turn.rounds.names),
    hold: holdFor(turn),
  }
  return {
    ...first,
    pieces: splicedPieces(splicing, first),
    report: () => {
      const usage = sumUsage(turn.usages)
      const { failure, said } = splicing
      return { ...(usage && { usage }), ...(failure && { failure }), ...(said && { said }) }
    },
  }
}

interface Splicing {
  readonly turn: HiddenTurns
  readonly splicer: StreamSplicer
  /** Of events, which are kept until the reply has been filed. */
  heldChars: number
  state: SpliceState
  /** Calls of the round under way, where they may have to be kept from the client. */
  readonly hold: CallHold | undefined
  /** How the round under way ended. */
  end?: StreamEnd | undefined
  failure?: PrehendError
  /** The error in which the provider ended its stream. */
  said?: PrehendError
  /** No further round is to come, though the last one asked for it. */
  isGivenUp?: boolean
}

async function* splicedPieces(splicing: Splicing, first: Reply): AsyncGenerator<ReplyPiece> {
  const { splicer } = splicing
  for (let reply: Reply | undefined = first; reply;) {
    splicing.end = undefined
    yield* roundPieces(splicing, reply)
    const isCut = splicing.end === undefined
    const closed = splicer.close(splicing.state)
    yield* toldIn(splicing, stepped(splicing, [closed]))
    reply = await nextRound(splicing, isCut)
    if (reply) resumed(splicing)
    else if (splicing.isGivenUp) yield { events: forClient(splicing, splicer.finish(splicing.state)) }
  }
}

/** The stream of the next round: what was hidden in the one before says nothing of it. */
function resumed(splicing: Splicing): void {
  const { splicer, turn, hold } = splicing
  hold?.begin()
  splicing.state = splicer.hiding(splicer.resume(splicing.state), turn.rounds.names)
}

async function* roundPieces(splicing: Splicing, { pieces }: Reply): AsyncGenerator<ReplyPiece> {
  const { hold } = splicing
  try {
    for await (const { events } of pieces) {
      count(splicing, events)
      const passed = hold ? hold.take(events) : events
      yield* toldIn(splicing, take(splicing, passed))
      if (hold?.isOver() === true) yield* released(splicing, hold)
    }
    if (hold) yield* released(splicing, hold)
  } catch (error) {
    // What has come of a round that breaks off is billed, too.
    splicing.turn.usages.push(splicing.splicer.close(splicing.state).end?.reply.usage)
    throw error
  }
}

/** The calls of a reply that is over, or the same kept from the client. */
async function* released(splicing: Splicing, hold: CallHold): AsyncGenerator<ReplyPiece> {
  const { events, reply } = hold.release()
  if (events.length === 0) return
  const names = await splicing.turn.rounds.withheld.namesIn(reply)
  splicing.state = splicing.splicer.hiding(splicing.state, names)
  const { before, after } = take(splicing, events)
  const told = forClient(splicing, [...before, ...(after ?? [])])
  yield* toldIn(splicing, {
    before: told.slice(0, before.length),
    ...(after && { after: told.slice(before.length) }),
  })
}

/** Events with calls as the client gets them: those of a reply, from the first that may begin a call to the last. */
function forClient({ turn: { codec, rounds } }: Splicing, events: readonly SseEvent[]): readonly SseEvent[] {
  return rounds.clientCalls ? rewrittenEvents(codec.calls, events, rounds.clientCalls) : events
}

async function* toldIn(splicing: Splicing, { before, after }: Taken): AsyncGenerator<ReplyPiece> {
  if (before.length > 0) yield { events: before }
  if (after) await filed(splicing)
  if (after && after.length > 0) yield { events: after }
}

interface Taken {
  /** What the client gets at once; all of it, save where the stream ends. */
  readonly before: readonly SseEvent[]
  /** What it gets when what was hidden in a stream that has ended is filed. */
  readonly after?: readonly SseEvent[]
}

function take(splicing: Splicing, events: readonly SseEvent[]): Taken {
  return stepped(splicing, stepsOf(splicing, events))
}

function count(splicing: Splicing, events: readonly SseEvent[]): void {
  const { replyBytes } = splicing.turn
  for (const { data } of events) splicing.heldChars += data.length
  if (splicing.heldChars > replyBytes) throw replyTooLong(replyBytes)
}

function* stepsOf(splicing: Splicing, events: readonly SseEvent[]): Generator<SpliceStep> {
  for (const event of events) yield splicing.splicer.step(splicing.state, event)
}

function stepped(splicing: Splicing, steps: Iterable<SpliceStep>): Taken {
  const before: SseEvent[] = []
  let after: SseEvent[] | undefined
  for (const { state, end, forward } of steps) {
    splicing.state = state
    if (end && !splicing.end) {
      splicing.end = end
      after = []
    }
    ;(after ?? before).push(...forward)
  }
  return { before, ...(after && { after }) }
}

/** What was hidden in a stream is filed before the client learns that it ended. */
async function filed({ turn, end }: Splicing): Promise<void> {
  if (end && !end.mustContinue) await turn.rounds.file(end)
}

/** The stream that goes on where one ended that called our tool only. */
async function nextRound(splicing: Splicing, isCut: boolean): Promise<Reply | undefined> {
  const { end, turn } = splicing
  const { rounds, send } = turn
  turn.usages.push(end?.reply.usage)
  if (end?.reply.failure) {
    if (isCut) splicing.failure = brokenOff()
    else splicing.said = endedIn(end.reply.failure)
  }
  if (!end || end.reply.failure || !end.mustContinue) return undefined
  const body = await rounds.next(end)
  if (body === undefined) {
    await rounds.file(end)
    splicing.isGivenUp = true
    return undefined
  }
  const next = await send(body)
  if (isSuccess(next)) return next
  splicing.failure = refusedMidway(next.status, (await bodyOf(next)).text)
  return undefined
}

/** A request that brought our answers was refused; the client's stream has begun, so it cannot get the status any more. */
function refusedMidway(status: number, said: string): PrehendError {
  const remedy = 'Send the request again.'
  return new PrehendError('upstream-refused', `The provider answered ${status} midway. ${remedy}`, {
    status,
    said,
    remedy,
  })
}
