import type { Exchange, Item, ToolResult } from '../../core/index.ts'
import type { Codec, HiddenReply, StreamEnd } from '../../codecs/index.ts'
import type { Session } from '../session.ts'
import type { SessionParts } from '../session-parts.ts'
import type { SessionTurn } from '../session-turn.ts'
import { guarded } from './guarded-answers.ts'
import { answerHiddenCalls } from './answer-hidden-calls.ts'

/** The replies of one turn that the client sees nothing of. */
export interface HiddenRounds {
  /** Answers a reply that called our tools only; gives the body to ask again with, or nothing when the turn has had its rounds. */
  next(end: StreamEnd): Promise<string | undefined>
  /** Answers what a last reply asked beside the client's calls, and files all that was hidden. Never rejects. */
  file(end: StreamEnd): Promise<void>
  readonly answered: number
  /** Names of all our own tools. */
  readonly names: ReadonlySet<string>
}

export interface RoundsOptions {
  readonly session: Session
  readonly turn: SessionTurn
  /** An answer as the host wants it to go on. */
  readonly admit?: (result: ToolResult) => ToolResult
}

/** The rounds of a turn that offers tools of ours, or goes on from one that did; undefined where there is no such tool. */
export function hiddenRounds(
  parts: SessionParts,
  { session, turn, admit = (result) => result }: RoundsOptions,
): HiddenRounds | undefined {
  const { codec, received, exchange, encoded, manifest, scope, input } = turn
  if (!encoded || (encoded.tools.length === 0 && !turn.kept)) return undefined
  const definitions = encoded.tools.map(({ definition }) => definition)
  const names = new Set(parts.tools.map(({ definition }) => definition.name))
  const max = parts.limits.hiddenRounds
  const roomTokens = manifest.windowTokens - manifest.reserveTokens - manifest.packTokens
  const roomChars = Math.max(0, roomTokens) * charsPerToken
  const rounds: HiddenReply[] = []
  const bringsBack = new Set(encoded.tools.flatMap((tool) => (tool.bringsBack ? [tool.definition.name] : [])))
  let sent: SentBody | undefined
  let answered = 0
  let broughtBack = 0

  const answer = async ({ reply, hiddenCalls: calls }: StreamEnd): Promise<HiddenReply> => {
    const asked = { scope, calls, roundsLeft: max - rounds.length, roomChars }
    const results = calls.length === 0 ? [] : guarded(input, (await answerHiddenCalls(parts, asked)).map(admit))
    answered += calls.length
    broughtBack += calls.filter(({ name }) => bringsBack.has(name)).length
    return { reply, results, isKept: received.wire.isKept === true }
  }

  const next = async (end: StreamEnd): Promise<string | undefined> => {
    if (rounds.length >= max) return undefined
    rounds.push(await answer(end))
    const afterId = exchange.conversation.messages.at(-1)?.id ?? ''
    const messages = rounds.flatMap((round) => codec.hiddenMessages(round))
    const hidden = [{ afterId, messages }]
    const hiddenTools = definitions.length > 0 && { hiddenTools: definitions }
    const body = codec.encode(exchange, { pack: encoded.pack, ...hiddenTools, hidden })
    sent = { body, messages: messages.length }
    return body
  }

  const file = async (end: StreamEnd): Promise<void> => {
    const kept = received.wire.isKept === true ? replyIds([...rounds, end]) : []
    if (rounds.length === 0 && end.hiddenCalls.length === 0 && kept.length === 0) return
    try {
      // A call that the provider keeps wants its answer, however often was asked.
      const isGivenUp = end.mustContinue && kept.length === 0
      const last = isGivenUp ? { reply: end.reply, results: [] } : await answer(end)
      const hidden = codec.hiddenTurn({ body: received.wire.body, rounds, last, hiddenTools: names })
      await session.hid(turn, {
        turn: hidden,
        rehydrations: broughtBack,
        sent: sent ? lastItems(codec, exchange, sent) : [],
        kept,
      })
    } catch (error) {
      parts.watch.failed('hidden-turn', error, turn.requestId)
    }
  }

  return {
    next,
    file,
    names,
    get answered() {
      return answered
    },
  }
}

function replyIds(replies: readonly Pick<HiddenReply, 'reply'>[]): readonly string[] {
  return replies.flatMap(({ reply: { id } }) => id ?? [])
}

interface SentBody {
  readonly body: string
  /** How many of its messages are of hidden rounds; they are its last. */
  readonly messages: number
}

function lastItems(codec: Codec, exchange: Exchange, { body, messages }: SentBody): readonly Item[] {
  const { conversation } = codec.decode({ path: exchange.wire.path, body }, exchange)
  const ids = new Set(conversation.messages.slice(-messages).flatMap(({ itemIds }) => itemIds))
  return conversation.items.filter(({ id }) => ids.has(id))
}

/** Low, so that what is cut by characters fits in tokens. */
const charsPerToken = 3
