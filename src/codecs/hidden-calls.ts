import type { HiddenTurn, ModelReply, ToolResult } from '../core/index.ts'
import type { Codec, HiddenToolNames, StreamEnd } from './codec.ts'

/**
 * Splits the calls of a reply by whether they are ours. Only a reply that ended in order, with one of the stop reasons
 * after which calls are complete, has calls to answer; and only one without calls of the client's has to be continued.
 */
export function splitCalls(
  reply: ModelReply,
  hiddenTools: HiddenToolNames,
  stopReasons: ReadonlySet<string | undefined>,
): StreamEnd {
  const whole = reply.failure === undefined && reply.message !== undefined && stopReasons.has(reply.stopReason)
  const hiddenCalls = whole ? reply.toolCalls.filter((call) => hiddenTools.has(call.name)) : []
  const mustContinue = hiddenCalls.length > 0 && hiddenCalls.length === reply.toolCalls.length
  return { reply, hiddenCalls, mustContinue }
}

/** Whether a reply has calls of ours, to be answered or not: whatever it ended with, the client must not see them. */
export function hasHiddenCalls(reply: ModelReply, hiddenTools: HiddenToolNames): boolean {
  return reply.toolCalls.some((call) => hiddenTools.has(call.name))
}

/** A whole reply that calls none of our tools, as the client sees it: some providers repeat the tools that they were given. */
export function withoutTools(codec: Pick<Codec, 'mergeReplies'>, body: string, hiddenTools: HiddenToolNames): string {
  return [...hiddenTools].some((name) => body.includes(`"${name}"`)) ? codec.mergeReplies([body], hiddenTools) : body
}

/** The calls that a client sees. */
export function visibleCalls(
  reply: ModelReply,
  hiddenTools: HiddenToolNames,
): Pick<HiddenTurn, 'visibleCallIds' | 'visibleCallNames'> {
  const calls = reply.toolCalls.filter((call) => !hiddenTools.has(call.name))
  return { visibleCallIds: calls.map(({ id }) => id), visibleCallNames: calls.map(({ name }) => name) }
}

export function resultFor(results: readonly ToolResult[], callId: string | undefined): ToolResult | undefined {
  return results.find((result) => result.callId === callId)
}

/** What a result says whose media cannot be shown where it stands. */
export function withoutMedia(
  text: string,
  why = 'It cannot be shown in this place; call the tool that brought it again.',
): string {
  return `${text}\n${why}`
}
