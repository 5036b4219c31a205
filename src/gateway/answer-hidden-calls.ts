import type { ToolCall, ToolResult } from '../core/index.ts'
import type { GatewayParts } from './parts.ts'
import type { LiveSession } from './live-sessions.ts'
import { rehydrate } from './rehydrate-tool.ts'

export interface HiddenCalls {
  readonly session: LiveSession
  readonly calls: readonly ToolCall[]
  /** Rounds left in this request, this one included. */
  readonly roundsLeft: number
  /** What the window has room for, in characters. */
  readonly roomChars: number
}

/** Answers the calls of our own tool. A store that fails makes an answer, not an error: the model can go on without. */
export async function answerHiddenCalls(
  parts: GatewayParts,
  { session, calls, roundsLeft, roomChars }: HiddenCalls,
): Promise<ToolResult[]> {
  const maxChars = Math.max(
    minChars,
    Math.min(parts.config.limits.rehydrateChars, Math.floor(roomChars / calls.length)),
  )
  const find = async (handle: string): Promise<string | undefined> => {
    const original = await parts.store.original(session.scope, handle)
    parts.metrics.rehydrations.inc({ result: original ? 'found' : 'unknown' })
    return original?.text
  }
  const results: ToolResult[] = []
  for (const call of calls) results.push(await answerCall(parts, call, { find, maxChars }))
  return roundsLeft > 1 ? results : results.map(withLastNotice)
}

/** A result is never cut below this, so that it says something. */
const minChars = 2000

async function answerCall(
  parts: GatewayParts,
  call: ToolCall,
  options: Parameters<typeof rehydrate>[1],
): Promise<ToolResult> {
  try {
    return await rehydrate(call, options)
  } catch {
    parts.metrics.rehydrations.inc({ result: 'failed' })
    return {
      callId: call.id,
      text: 'The original could not be read just now. Go on without it, or run the tool again.',
    }
  }
}

function withLastNotice(result: ToolResult): ToolResult {
  return { ...result, text: `${result.text}\n[this was the last rehydrate of this turn]` }
}
