import { isJsonObject } from '../core/index.ts'
import { requestEnds } from './forms/read-forms.ts'
import { wireMessages } from './forms/wire-messages.ts'
import { inside, traceError } from './trace-error.ts'
import { messageReader } from './trace-message.ts'
import type { Item, JsonObject } from '../core/index.ts'
import type { FoundSession } from './forms/form.ts'
import type { WireMessages } from './forms/wire-message.ts'
import type { NeedleRow } from './needles.ts'
import type { TracePlace } from './trace-error.ts'
import type { Needle, Trace, TraceMessage, TraceRequest } from './trace.ts'

/** Between requests of a trace that carries no times: well within every provider's cache lifetime. */
export const paceMs = 10_000

/** A request before it knows when it was sent. `step` is the number of messages in the body. */
export interface UntimedRequest {
  readonly messages: readonly TraceMessage[]
  readonly step: number
  readonly atMs?: number
  readonly answer?: TraceMessage
  readonly model?: string
}

/** The messages of a session record, in order, without what a body holds in front of them. */
export function sessionMessages(record: JsonObject, place: TracePlace): readonly TraceMessage[] {
  const at = inside(place, 'messages')
  const read = messageReader()
  return messagesOf(record, place).map((message, index) => read(message, `m${index}`, inside(at, index)))
}

/** A whole session in one body: one request for every answer, with all messages before it. */
export function sessionRequests(
  body: JsonObject,
  place: TracePlace,
  session: Pick<FoundSession, 'dialect' | 'sharedAnswers'> = {},
): readonly UntimedRequest[] {
  const wire = wireMessages(body, session.dialect)
  const at = inside(place, wire.member)
  requireMessages(body, place, wire)
  const read = messageReader()
  const messages = wire.messages.map(({ raw, at: index }, step) => read(raw, `m${step}`, inside(at, index)))
  const front = preamble(wire.front, place)
  return requestEnds({ body, ...session }).map((step): UntimedRequest => {
    const before = messages.slice(0, step)
    const answer = messages[step]
    const atMs = before.findLast((earlier) => earlier.atMs !== undefined)?.atMs ?? answer?.atMs
    return {
      messages: [...front, ...before],
      step,
      ...(answer && { answer }),
      ...modelOf(body),
      ...(atMs !== undefined && { atMs }),
    }
  })
}

/** Throws where a body holds no message. */
export function requireMessages(body: JsonObject, place: TracePlace, { member, messages }: WireMessages): void {
  const at = inside(place, member)
  const value = body[member]
  if (!Array.isArray(value) && (typeof value !== 'string' || member === 'messages'))
    throw traceError(at, 'is not a list', 'A session or a request body has a list of messages')
  if (messages.length === 0) throw traceError(at, 'is empty', 'Give at least one message')
}

export function modelOf({ model }: JsonObject): Pick<UntimedRequest, 'model'> {
  return typeof model === 'string' && model !== '' ? { model } : {}
}

function messagesOf(record: JsonObject, place: TracePlace): readonly unknown[] {
  const messages = record['messages']
  if (!Array.isArray(messages)) {
    throw traceError(inside(place, 'messages'), 'is not a list', 'A session or a request body has a list of messages')
  }
  if (messages.length === 0) throw traceError(inside(place, 'messages'), 'is empty', 'Give at least one message')
  return messages
}

/** What a request body holds in front of its messages: tools, then the system prompt. */
export function preamble(record: JsonObject, place: TracePlace): readonly TraceMessage[] {
  const tools = record['tools']
  const system = record['system']
  const front: TraceMessage[] = []
  if (tools !== undefined && tools !== null) {
    if (!Array.isArray(tools)) throw traceError(inside(place, 'tools'), 'is not a list', 'Give a list of tools')
    if (tools.length > 0) front.push({ id: 'tools', role: 'system', items: tools.map(toolItem) })
  }
  if (system !== undefined && system !== null) {
    front.push(messageReader()({ role: 'system', content: system }, 'system', inside(place, 'system')))
  }
  return front
}

function toolItem(tool: unknown, index: number): Item {
  const inner = isJsonObject(tool) && isJsonObject(tool['function']) ? tool['function'] : tool
  const name = isJsonObject(inner) && typeof inner['name'] === 'string' ? { toolName: inner['name'] } : {}
  return { id: `tools.${index}`, section: 'tools', kind: 'tool-schema', text: JSON.stringify(tool), ...name }
}

/** Puts requests, times and needles together. */
export function asTrace(id: string, untimed: readonly UntimedRequest[], rows?: readonly NeedleRow[]): Trace {
  let clock = 0
  const requests = untimed.map((request, index): TraceRequest => {
    clock = index === 0 ? (request.atMs ?? 0) : Math.max(clock, request.atMs ?? clock + paceMs)
    const answer = request.answer ?? answerIn(request, untimed[index + 1])
    return { messages: request.messages, atMs: clock, ...(answer && { answer }) }
  })
  const model = untimed[0]?.model
  return {
    id,
    ...(model !== undefined && { model }),
    requests,
    ...(rows && { needles: needlesByRequest(untimed, rows) }),
  }
}

/** The answer to a request of a log stands in the one after it, where the conversation goes on. */
function answerIn({ messages }: UntimedRequest, next: UntimedRequest | undefined): TraceMessage | undefined {
  const answer = next?.messages[messages.length]
  return answer?.role === 'assistant' && next?.messages[messages.length - 1] === messages.at(-1) ? answer : undefined
}

function needlesByRequest(
  requests: readonly UntimedRequest[],
  rows: readonly NeedleRow[],
): ReadonlyMap<number, readonly Needle[]> {
  const byStep = new Map(requests.map((request, index) => [request.step, index]))
  const needles = new Map<number, Needle[]>()
  for (const { place, step, text, sources } of rows) {
    const index = byStep.get(step)
    const request = index === undefined ? undefined : requests[index]
    if (index === undefined || request === undefined) {
      throw traceError(
        inside(place, 'step'),
        'is no assistant message of its trace',
        'Check that the files belong together',
      )
    }
    const front = request.messages.length - step
    const ids = sources.map((source) => request.messages[front + source]?.id ?? '')
    needles.set(index, [...(needles.get(index) ?? []), { text, sources: ids }])
  }
  return needles
}
