import { objectsOf } from '../json-members.ts'
import type { JsonObject, ReplyEvent, StopReason } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { parseData } from '../reply-body.ts'
import { unnamedId } from './call-ids.ts'

/** Why a prompt was blocked stands among them, too. */
export const geminiReasons: Readonly<Record<string, StopReason>> = {
  STOP: 'end',
  MAX_TOKENS: 'length',
  SAFETY: 'refused',
  RECITATION: 'refused',
  LANGUAGE: 'refused',
  BLOCKLIST: 'refused',
  PROHIBITED_CONTENT: 'refused',
  SPII: 'refused',
  IMAGE_SAFETY: 'refused',
  IMAGE_PROHIBITED_CONTENT: 'refused',
  OTHER: 'refused',
}

/** Calls that came to nothing: an agent that took one for an end would stop as if it were done. */
export const geminiFailures: ReadonlySet<string> = new Set([
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MISSING_THOUGHT_SIGNATURE',
  'MALFORMED_RESPONSE',
])

/** The ids of the calls before: a call's number is its place among them. */
export type CallsBefore = readonly string[]

interface Said {
  readonly events: readonly ReplyEvent[]
  readonly before: CallsBefore
}

/** What a chunk says; of several candidates the first is read. */
export function saidInChunk(data: JsonObject, before: CallsBefore): Said {
  const candidate = objectsOf(data['candidates']).find(({ index = 0 }) => index === 0) ?? {}
  const { content, citationMetadata, groundingMetadata } = candidate
  let calls = before
  const events: ReplyEvent[] = [begin(data)]
  for (const part of objectsOf(isJsonObject(content) ? content['parts'] : undefined)) {
    const said = saidInPart(part, calls)
    calls = said.before
    events.push(...said.events)
    if (part['thoughtSignature'] !== undefined) events.push(lost('reasoning', 'signature'))
  }
  if (citationMetadata !== undefined || groundingMetadata !== undefined) events.push(lost('opaque', 'citations'))
  return { events, before: calls }
}

/** What a whole reply says, or the list of its chunks. */
export function saidInReply(body: string): readonly ReplyEvent[] {
  const data = parseData(body)
  let before: CallsBefore = []
  return objectsOf(Array.isArray(data) ? data : [data]).flatMap((chunk, index) => {
    const said = saidInChunk(chunk, before)
    before = said.before
    return said.events.filter(({ kind }) => index === 0 || kind !== 'begin')
  })
}

function begin(data: JsonObject): ReplyEvent {
  const { responseId: id, modelVersion: model } = data
  return { kind: 'begin', ...(typeof id === 'string' && { id }), ...(typeof model === 'string' && { model }) }
}

function saidInPart(part: JsonObject, before: CallsBefore): Said {
  const { text, thought, functionCall } = part
  if (isJsonObject(functionCall)) return callEvents(functionCall, before)
  if (typeof text === 'string') {
    const kind = thought === true ? 'reasoning' : 'text'
    return { events: text === '' ? [] : [{ kind, text }], before }
  }
  const [what = 'part'] = Object.keys(part)
  return { events: [lost(what === 'inlineData' || what === 'fileData' ? 'media' : 'opaque', what)], before }
}

/** Calls come whole. */
function callEvents(call: JsonObject, before: CallsBefore): Said {
  const { id: told, args = {} } = call
  const name = typeof call['name'] === 'string' ? call['name'] : ''
  const isNamed = typeof told === 'string' && told !== ''
  const id = isNamed ? told : unnamedId(name, args, (known) => before.includes(known))
  const number = before.length
  return {
    events: [
      { kind: 'call', call: number, id, name },
      { kind: 'arguments', call: number, text: JSON.stringify(args) },
      { kind: 'call-end', call: number },
    ],
    before: [...before, id],
  }
}

function lost(kind: 'media' | 'opaque' | 'reasoning', what: string): ReplyEvent {
  return { kind: 'lost', loss: { kind, what, why: 'cannot be told in another dialect' } }
}
