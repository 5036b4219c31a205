import type { HiddenReply, StreamEnd } from '../codecs/index.ts'
import { answerHiddenCalls } from './answer-hidden-calls.ts'
import type { Reply } from './outlet/reply.ts'
import { hiddenToolNames, rehydrateTool } from './rehydrate-tool.ts'
import type { ToolOffer, Turn } from './layers/session/turn.ts'

/** The replies of one turn that the client sees nothing of. */
export interface HiddenRounds {
  /** Answers a reply that called our tool only and asks again; undefined when the turn has had its rounds. */
  next(end: StreamEnd): Promise<Reply | undefined>
  /** Answers what a last reply asked beside the client's calls, and files all that was hidden. Never rejects. */
  file(end: StreamEnd): Promise<void>
  readonly answered: number
}

export function hiddenRounds(turn: Turn, offer: ToolOffer): HiddenRounds {
  const { parts, codec, received } = turn
  const { session, exchange, pack } = offer
  const max = parts.config.limits.rehydrateRounds
  const rounds: HiddenReply[] = []
  let answered = 0

  const answer = async (end: StreamEnd): Promise<HiddenReply> => {
    const calls = end.hiddenCalls
    const roundsLeft = max - rounds.length
    const options = { session, calls, roundsLeft, roomChars: offer.roomChars }
    const results = calls.length === 0 ? [] : (await answerHiddenCalls(parts, options)).map(turn.admit)
    answered += calls.length
    return { reply: end.reply, results }
  }

  const next = async (end: StreamEnd): Promise<Reply | undefined> => {
    if (rounds.length >= max) return undefined
    rounds.push(await answer(end))
    const afterId = exchange.conversation.messages.at(-1)?.id ?? ''
    const messages = rounds.flatMap((round) => codec.hiddenMessages(round))
    return turn.send(codec.encode(exchange, { pack, hiddenTools: [rehydrateTool], hidden: [{ afterId, messages }] }))
  }

  const file = async (end: StreamEnd): Promise<void> => {
    if (rounds.length === 0 && end.hiddenCalls.length === 0) return
    try {
      const last = end.mustContinue ? { reply: end.reply, results: [] } : await answer(end)
      const hidden = codec.hiddenTurn({ body: received.wire.body, rounds, last, hiddenTools: hiddenToolNames })
      if (hidden) session.hidden = [...session.hidden, hidden]
      const ledger = session.ledger && { ...session.ledger, rehydrations: session.ledger.rehydrations + answered }
      session.ledger = ledger
      await parts.store.commit({
        scope: session.scope,
        nowMs: parts.clock(),
        overlay: session.hidden.map((hiddenTurn) => ({ kind: 'hidden-turn', turn: hiddenTurn })),
        ...(ledger && { ledger }),
      })
    } catch (error) {
      parts.skipped('hidden-turn', error, turn.requestId)
    }
  }

  return {
    next,
    file,
    get answered() {
      return answered
    },
  }
}
