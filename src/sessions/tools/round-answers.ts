import type { HiddenReply, StreamEnd } from '../../codecs/index.ts'
import type { Manifest } from '../../core/index.ts'
import type { Fetched } from '../../stores/index.ts'
import { executeToolName } from '../../tools/index.ts'
import { tokenizerOf } from '../../tokens/index.ts'
import { originalsOf } from '../originals-of.ts'
import { partsFor } from '../session-parts.ts'
import type { SessionParts } from '../session-parts.ts'
import type { SessionTurn } from '../session-turn.ts'
import { answerHiddenCalls } from './answer-hidden-calls.ts'
import type { CallHost } from './answer-hidden-calls.ts'
import { guarded } from './guarded-answers.ts'
import type { HiddenTool } from './hidden-tool.ts'
import type { Refused, WithheldCalls } from './withheld-calls.ts'

/** Answers the calls of our own tools in the replies of one turn, and keeps count. */
export interface RoundAnswers {
  to(end: StreamEnd, roundsLeft: number): Promise<HiddenReply>
  readonly answered: number
  /** Of these, calls that brought back what had been left out. */
  readonly broughtBack: number
  /** What they have brought back, each handle once. */
  readonly fetched: readonly Fetched[]
}

export interface AnswersOptions {
  readonly turn: SessionTurn
  /** Those that the turn offers. */
  readonly offered: readonly HiddenTool[]
  /** Names of all our own. */
  readonly names: ReadonlySet<string>
  readonly withheld: WithheldCalls
  readonly host: CallHost
}

export function roundAnswers(
  parts: SessionParts,
  { turn, offered, names, withheld, host }: AnswersOptions,
): RoundAnswers {
  const { received, manifest, scope, input, asked, catalogue, requestId } = turn
  const leftOut = asked.isNamed ? undefined : () => originalsOf(input.items, manifest, { requestId })
  const isKept = received.wire.isKept === true
  const bringsBack = new Set(offered.flatMap((tool) => (tool.bringsBack ? [tool.definition.name] : [])))
  const fetched = new Map<string, Fetched>()
  let tokens = 0
  const { count } = tokenizerOf(partsFor(parts, scope.tenant).modelInfo(received.conversation.model))
  const told = {
    answered: 0,
    broughtBack: 0,
    fetched: [] as readonly Fetched[],
    async to({ reply, hiddenCalls }: StreamEnd, roundsLeft: number): Promise<HiddenReply> {
      const refused = withheld.take()
      const unrun = new Set(refused?.results.map(({ callId }) => callId))
      // Of calls that this reply alone hides, those that have no answer yet are of the host's tools.
      const calls = hiddenCalls.filter(
        ({ id, name }) => !unrun.has(id) && (names.has(name) || name === executeToolName),
      )
      const roomTokens = Math.max(0, roomTokensOf(manifest) - tokens)
      const hidden = {
        asked,
        host,
        calls,
        roundsLeft,
        roomTokens,
        rehydrates: bringsBack.size > 0,
        catalogue,
        count,
        leftOut,
      }
      const answers = calls.length === 0 ? undefined : await answerHiddenCalls(parts, hidden)
      const results = answers === undefined ? [] : guarded(input, answers.results)
      for (const one of answers?.fetched ?? []) fetched.set(one.handle, one)
      told.fetched = [...fetched.values()]
      told.answered += calls.length
      tokens += results.reduce((sum, { text }) => sum + count(text) + tokensOfCall, 0)
      told.broughtBack += calls.filter(({ name }) => bringsBack.has(name)).length
      return withRefused({ reply, results, isKept }, refused)
    },
  }
  return told
}

function withRefused(round: HiddenReply, refused: Refused | undefined): HiddenReply {
  return refused ? { ...round, results: [...round.results, ...refused.results], hidden: refused.hidden } : round
}

function roomTokensOf({ windowTokens, reserveTokens, overheadTokens, packTokens }: Manifest): number {
  return windowTokens - reserveTokens - overheadTokens - packTokens
}

/** Of a call and what stands around its result, at most. */
const tokensOfCall = 100
