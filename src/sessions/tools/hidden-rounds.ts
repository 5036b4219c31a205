import type { WireExchange, Item } from '../../core/index.ts'
import type { Codec, HiddenReply, RewriteCall, StreamEnd } from '../../codecs/index.ts'
import { sha256 } from '../../host/index.ts'
import type { LaterRound } from '../../stores/index.ts'
import { executeToolName } from '../../tools/index.ts'
import { callsHostAlone, clientCallsOf } from '../catalogue/found-tools.ts'
import type { Session } from '../session.ts'
import { partsFor } from '../session-parts.ts'
import type { SessionParts } from '../session-parts.ts'
import type { SessionTurn } from '../session-turn.ts'
import type { CallHost } from './answer-hidden-calls.ts'
import { roundAnswers } from './round-answers.ts'
import type { RoundAnswers } from './round-answers.ts'
import { roundBody } from './round-body.ts'
import { withheldCalls } from './withheld-calls.ts'
import type { Refused, WithheldCalls } from './withheld-calls.ts'

/** The replies of one turn that the client sees nothing of. */
export interface HiddenRounds {
  /** Answers a reply that called our tools only; gives the body to ask again with, or nothing when the turn has had its rounds. */
  next(end: StreamEnd): Promise<string | undefined>
  /** Answers what a last reply asked beside the client's calls, and files all that was hidden. Never rejects. */
  file(end: StreamEnd): Promise<void>
  /** What of it was answered, and what was brought back, so far. */
  readonly answers: Pick<RoundAnswers, 'answered' | 'fetched'>
  /** What went upstream behind the turn's own request, as its receipt holds it. */
  readonly sent: readonly LaterRound[]
  /** Names of all our own tools. */
  readonly names: ReadonlySet<string>
  /** Gives calls of a reply as the client gets them; they are the model's own where it is absent. */
  readonly clientCalls?: RewriteCall | undefined
  /** Calls of the client's that it must not get: ask before `next` of each reply; `next` answers these, too. */
  readonly withheld: WithheldCalls
}

export interface RoundsOptions {
  readonly session: Session
  readonly turn: SessionTurn
  /** Nobody leaves, and nothing is masked, where it says nothing. */
  readonly host?: Partial<CallHost>
  /** Told of every reply with a marker that cannot be written out: answered here or, with no round left, passed on. */
  readonly count?: (result: 'answered' | 'passed') => void
}

/**
 * The rounds of a turn that offers tools of ours, goes on from one that did, or shows a marker that the model may copy; undefined of any
 * other.
 */
export function hiddenRounds(
  parts: SessionParts,
  { session, turn, host, count = () => undefined }: RoundsOptions,
): HiddenRounds | undefined {
  const { codec, received, exchange, encoded, scope } = turn
  if (!encoded) return undefined
  const definitions = encoded.tools.map(({ definition }) => definition)
  // A tool that the client has under the same name is the client's.
  const taken = new Set(received.conversation.tools.map(({ name }) => name))
  const own = parts.tools.map(({ definition: { name } }) => name)
  const names = new Set([...own, ...(callsHostAlone(turn) ? [executeToolName] : [])].filter((name) => !taken.has(name)))
  const { limits, recordsContent } = partsFor(parts, scope.tenant)
  const [max, isKept] = [limits.hiddenRounds, received.wire.isKept === true]
  const rounds: HiddenReply[] = []
  const later: LaterRound[] = []
  const messages: string[] = []
  let sent: SentBody | undefined
  const withheld = withheldCalls(parts, turn, { names, roundsLeft: () => max - rounds.length, count })
  if (encoded.tools.length === 0 && !turn.kept && !withheld.mayBe && !turn.catalogue) return undefined

  const answers = roundAnswers(parts, {
    turn,
    offered: encoded.tools,
    names,
    withheld,
    host: { ...unhosted(), ...host },
  })

  const next = async (end: StreamEnd): Promise<string | undefined> => {
    if (rounds.length >= max) return undefined
    const round = await answers.to(end, max - rounds.length)
    rounds.push(round)
    const added = codec.hiddenMessages(round)
    messages.push(...added)
    const { pack, made } = encoded
    const body = roundBody(codec, exchange, { pack, made, tools: definitions, messages })
    sent = { body, messages: messages.length }
    later.push({ hash: sha256(body), ...(recordsContent && { messages: added }) })
    return body
  }

  const file = async (end: StreamEnd): Promise<void> => {
    const kept = isKept ? replyIds([...rounds, end]) : []
    if (rounds.length === 0 && end.hiddenCalls.length === 0 && kept.length === 0) return
    try {
      // A call that the provider keeps wants its answer, however often was asked.
      const isGivenUp = end.mustContinue && kept.length === 0
      const last: HiddenReply = isGivenUp
        ? { reply: end.reply, results: [], ...hiddenIn(withheld.take()) }
        : await answers.to(end, max - rounds.length)
      const hiddenTools = last.hidden ?? names
      const hidden = codec.hiddenTurn({ body: received.wire.body, rounds, last, hiddenTools })
      const inRounds = sent ? lastItems(codec, exchange, sent) : []
      await session.hid(turn, { turn: hidden, rehydrations: answers.broughtBack, sent: inRounds, kept })
    } catch (error) {
      parts.watch.failed('hidden-turn', error, turn.requestId)
    }
  }

  return { next, file, names, sent: later, withheld, answers, clientCalls: clientCallsOf(turn) }
}

/** Of calls that nobody breaks off, and that pass no layers. */
function unhosted(): CallHost {
  return { signal: new AbortController().signal, restore: (text) => text, admit: (result) => result }
}

function hiddenIn(refused: Refused | undefined): Pick<HiddenReply, 'hidden'> {
  return refused ? { hidden: refused.hidden } : {}
}

function replyIds(replies: readonly Pick<HiddenReply, 'reply'>[]): readonly string[] {
  return replies.flatMap(({ reply: { id } }) => id ?? [])
}

interface SentBody {
  readonly body: string
  /** How many of its messages are of hidden rounds; they are its last. */
  readonly messages: number
}

function lastItems(codec: Codec, exchange: WireExchange, { body, messages }: SentBody): readonly Item[] {
  const { conversation } = codec.decode({ path: exchange.wire.path, body }, exchange)
  const ids = new Set(conversation.messages.slice(-messages).flatMap(({ itemIds }) => itemIds))
  return conversation.items.filter(({ id }) => ids.has(id))
}
