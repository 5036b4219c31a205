import type { ToolCall, ToolResult } from '../../core/index.ts'
import type { Fetched, Scope } from '../../stores/index.ts'
import { partsFor } from '../session-parts.ts'
import type { SessionParts } from '../session-parts.ts'
import type { ToolSession } from './hidden-tool.ts'

export interface HiddenCalls {
  readonly scope: Scope
  readonly calls: readonly ToolCall[]
  /** Rounds left in this request, this one included. */
  readonly roundsLeft: number
  /** What the window has room for. */
  readonly roomTokens: number
  /** Tokens of a text as the model counts. */
  count(text: string): number
}

export interface HiddenAnswers {
  readonly results: readonly ToolResult[]
  /** What they have brought back. */
  readonly fetched: readonly Fetched[]
}

/** Answers calls of our own tools. A tool that fails makes an answer, not an error: the model can go on without. */
export async function answerHiddenCalls(
  parts: SessionParts,
  { scope, calls, roundsLeft, roomTokens, count }: HiddenCalls,
): Promise<HiddenAnswers> {
  const { answerChars } = partsFor(parts, scope.tenant).limits
  const share = Math.floor(roomTokens / calls.length)
  const session: ToolSession = {
    original: (handle) => parts.store.original(scope, handle),
    originals: () => parts.store.originals(scope),
    maxChars: Math.max(minChars, Math.min(answerChars, share * charsPerToken)),
    roomTokens: share,
  }
  const results: ToolResult[] = []
  const fetched: Fetched[] = []
  for (const call of calls) {
    const answer = await fittingAnswer(parts, call, session, (text) => count(text) / Math.max(1, share))
    results.push(answer.result)
    fetched.push(...answer.fetched)
  }
  const isLast = roundsLeft <= 1
  return {
    results: isLast ? results.map((result, index) => withLastNotice(result, calls[index]?.name ?? '')) : results,
    fetched,
  }
}

/** A result is never cut below this, so that it says something; it then comes off what is kept for the reply. */
const minChars = 600
/** Of most texts; what has fewer is cut again. */
const charsPerToken = 3.5
const mostTries = 4

/** An answer of what was left out is asked for again in less until it fits. What other tools say is theirs. */
async function fittingAnswer(
  parts: SessionParts,
  call: ToolCall,
  session: ToolSession,
  fills: (text: string) => number,
): Promise<Answered> {
  const bringsBack = parts.tools.some((tool) => tool.definition.name === call.name && tool.bringsBack === true)
  let { maxChars } = session
  for (let tries = 1; ; tries += 1) {
    const answer = await answerCall(parts, call, { ...session, maxChars })
    const filled = fills(answer.result.text)
    if (filled <= 1 || maxChars <= minChars || !bringsBack || tries === mostTries) {
      parts.watch.answered(answer.outcome)
      return answer
    }
    maxChars = Math.max(minChars, Math.floor((0.95 * Math.min(maxChars, answer.result.text.length)) / filled))
  }
}

interface Answered {
  readonly result: ToolResult
  readonly fetched: readonly Fetched[]
  readonly outcome: 'found' | 'unknown' | 'failed'
}

async function answerCall({ tools }: SessionParts, call: ToolCall, session: ToolSession): Promise<Answered> {
  const tool = tools.find(({ definition }) => definition.name === call.name)
  try {
    const answer = await tool?.answer(call, session)
    const outcome = answer?.found === true ? 'found' : 'unknown'
    const text = answer?.text ?? `There is no tool ${call.name}.`
    const result = { callId: call.id, text, ...(answer?.media && { media: answer.media }) }
    return { result, fetched: answer?.fetched ?? [], outcome }
  } catch {
    const text = 'The original could not be read just now. Go on without it, or run the tool again.'
    return { result: { callId: call.id, text }, fetched: [], outcome: 'failed' }
  }
}

function withLastNotice(result: ToolResult, name: string): ToolResult {
  return { ...result, text: `${result.text}\n[this was the last ${name} of this turn]` }
}
