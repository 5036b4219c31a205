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
  /** What the window has room for, in characters, `charsPerToken` of them for a token. */
  readonly roomChars: number
}

export interface HiddenAnswers {
  readonly results: readonly ToolResult[]
  /** What they have brought back. */
  readonly fetched: readonly Fetched[]
}

/** Answers calls of our own tools. A tool that fails makes an answer, not an error: the model can go on without. */
export async function answerHiddenCalls(
  parts: SessionParts,
  { scope, calls, roundsLeft, roomChars }: HiddenCalls,
): Promise<HiddenAnswers> {
  const { answerChars } = partsFor(parts, scope.tenant).limits
  const most = Math.min(answerChars, Math.floor(roomChars / calls.length))
  const session: ToolSession = {
    original: (handle) => parts.store.original(scope, handle),
    originals: () => parts.store.originals(scope),
    maxChars: Math.max(minChars, most),
    roomTokens: Math.floor(roomChars / calls.length / charsPerToken),
  }
  const results: ToolResult[] = []
  const fetched: Fetched[] = []
  for (const call of calls) {
    const answer = await answerCall(parts, call, session)
    results.push(answer.result)
    fetched.push(...answer.fetched)
  }
  const isLast = roundsLeft <= 1
  return {
    results: isLast ? results.map((result, index) => withLastNotice(result, calls[index]?.name ?? '')) : results,
    fetched,
  }
}

/** Low, so that what is cut by characters fits in tokens. */
export const charsPerToken = 3

/** A result is never cut below this, so that it says something. */
const minChars = 2000

interface Answered {
  readonly result: ToolResult
  readonly fetched: readonly Fetched[]
}

async function answerCall({ tools, watch }: SessionParts, call: ToolCall, session: ToolSession): Promise<Answered> {
  const tool = tools.find(({ definition }) => definition.name === call.name)
  try {
    const answer = await tool?.answer(call, session)
    watch.answered(answer?.found === true ? 'found' : 'unknown')
    const text = answer?.text ?? `There is no tool ${call.name}.`
    const result = { callId: call.id, text, ...(answer?.media && { media: answer.media }) }
    return { result, fetched: answer?.fetched ?? [] }
  } catch {
    watch.answered('failed')
    const text = 'The original could not be read just now. Go on without it, or run the tool again.'
    return { result: { callId: call.id, text }, fetched: [] }
  }
}

function withLastNotice(result: ToolResult, name: string): ToolResult {
  return { ...result, text: `${result.text}\n[this was the last ${name} of this turn]` }
}
