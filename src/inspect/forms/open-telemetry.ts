import { isJsonObject } from '../../core/index.ts'
import type { JsonObject, JsonValue } from '../../core/index.ts'
import { traceError } from '../trace-error.ts'
import type { TracePlace } from '../trace-error.ts'
import type { Form, FoundRequest } from './form.ts'
import { millisecondsOf, objectIn, objectsIn, textIn, unquoted } from './json-access.ts'
import { numberedMembers } from './numbered-members.ts'
import { loggedBody } from './logged-body.ts'
import { sessionLines } from './session-lines.ts'

/**
 * Spans of calls to models: OTLP as the collector's file exporter and the SDKs write it, by the GenAI conventions in their
 * forms so far, by OpenLLMetry or by OpenInference.
 */
export const openTelemetry: Form = {
  name: 'OpenTelemetry spans',
  isWhole: true,
  recognise: (value) =>
    isJsonObject(value) &&
    (['resourceSpans', 'resource_spans', 'resourceLogs', 'resource_logs'].some((name) => Array.isArray(value[name])) ||
      isSpan(value)),
  read: (values) => {
    const spans = sessionLines(values).flatMap(({ line, place }) => spansIn(line).map((span) => ({ span, place })))
    const calls = spans.filter(({ span }) => isOfModel(span.attributes))
    const requests = calls.flatMap(({ span, place }) => requestOf(span, place) ?? [])
    const [first] = values
    if (requests.length > 0 || first === undefined) return requests.toSorted(byTime)
    throw calls.length > 0
      ? traceError(
          first.place,
          `holds ${calls.length} spans of calls to models without what was said`,
          'Set OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true where they are recorded',
        )
      : traceError(first.place, 'holds no span of a call to a model', 'Give spans with gen_ai attributes')
  },
}

function byTime(one: FoundRequest, other: FoundRequest): number {
  return (one.atMs ?? 0) - (other.atMs ?? 0)
}

interface Span {
  readonly attributes: JsonObject
  readonly events: readonly { readonly name: string; readonly attributes: JsonObject }[]
  readonly atMs: number | undefined
}

function isSpan(value: JsonObject): boolean {
  const isNamed = ['spanId', 'span_id', 'context', 'spanContext'].some((name) => value[name] !== undefined)
  return isNamed && value['attributes'] !== undefined
}

function spansIn(value: JsonObject): readonly Span[] {
  if (isSpan(value) && !('resourceSpans' in value)) return [spanOf(value)]
  const groups = [...objectsIn(value, 'resourceSpans'), ...objectsIn(value, 'resource_spans')]
  const scopes = groups.flatMap((group) =>
    ['scopeSpans', 'scope_spans', 'instrumentationLibrarySpans'].flatMap((name) => objectsIn(group, name)),
  )
  const logs = [...objectsIn(value, 'resourceLogs'), ...objectsIn(value, 'resource_logs')]
    .flatMap((group) => [...objectsIn(group, 'scopeLogs'), ...objectsIn(group, 'scope_logs')])
    .flatMap((scope) => [...objectsIn(scope, 'logRecords'), ...objectsIn(scope, 'log_records')])
  return [...scopes.flatMap((scope) => objectsIn(scope, 'spans')), ...logs].map(spanOf)
}

function spanOf(span: JsonObject): Span {
  const atMs = millisecondsOf(
    span['startTimeUnixNano'] ??
      span['start_time_unix_nano'] ??
      span['timeUnixNano'] ??
      span['start_time'] ??
      span['startTime'],
  )
  const events = objectsIn(span, 'events').map((event) => ({
    name: textIn(event, 'name') ?? '',
    attributes: attributesOf(event),
  }))
  return { attributes: attributesOf(span), events, atMs }
}

/** Attributes as plain members, whether OTLP lists them or an SDK prints them. */
function attributesOf(owner: JsonObject): JsonObject {
  const given = owner['attributes']
  if (isJsonObject(given)) return given
  const pairs = objectsIn(given).map((pair): [string, JsonValue] => [
    textIn(pair, 'key') ?? '',
    plainValue(pair['value']),
  ])
  return Object.fromEntries(pairs)
}

function plainValue(value: JsonValue | undefined): JsonValue {
  if (!isJsonObject(value)) return value ?? null
  if (isJsonObject(value['arrayValue'])) return objectsIn(value['arrayValue'], 'values').map(plainValue)
  if (isJsonObject(value['kvlistValue'])) {
    const pairs = objectsIn(value['kvlistValue'], 'values')
    return Object.fromEntries(pairs.map((pair) => [textIn(pair, 'key') ?? '', plainValue(pair['value'])]))
  }
  const known = ['stringValue', 'intValue', 'doubleValue', 'boolValue', 'string_value', 'int_value']
  const name = known.find((one) => value[one] !== undefined)
  return name === undefined ? value : (value[name] ?? null)
}

/** Whether a span is of a call to a model, and not of an agent or a tool around it. */
function isOfModel(attributes: JsonObject): boolean {
  const operation = attributes['gen_ai.operation.name']
  if (typeof operation === 'string') return /^(?:chat|generate_content|text_completion|completion)$/.test(operation)
  const kind =
    attributes['openinference.span.kind'] ?? attributes['traceloop.span.kind'] ?? attributes['llm.request.type']
  if (typeof kind === 'string') return /^(?:llm|chat|completion)$/i.test(kind)
  const names = ['gen_ai.request.model', 'gen_ai.input.messages', 'llm.model_name', 'ai.prompt.messages']
  return names.some((name) => attributes[name] !== undefined)
}

function requestOf({ attributes, events, atMs }: Span, place: TracePlace): FoundRequest | undefined {
  const details = events.find(({ name }) => name === 'gen_ai.client.inference.operation.details')
  const told = { ...attributes, ...details?.attributes }
  const model = textIn(told, 'gen_ai.request.model', 'gen_ai.response.model', 'llm.model_name', 'ai.model.id')
  const body = loggedBody(saidIn(told, events), { model, tools: toolsIn(told), system: systemIn(told) })
  if (body === undefined) return undefined
  const session = textIn(told, 'gen_ai.conversation.id', 'session.id', 'traceloop.association.properties.session_id')
  return { kind: 'request', body, place, session, atMs }
}

/** The messages of a request, where the conventions of the day put them. */
function saidIn(told: JsonObject, events: Span['events']): unknown {
  const whole =
    told['gen_ai.input.messages'] ?? told['ai.prompt.messages'] ?? told['gen_ai.prompt'] ?? promptEvent(events)
  if (whole !== undefined) return whole
  for (const prefix of ['gen_ai.prompt', 'llm.prompts', 'llm.input_messages']) {
    const messages = numberedMembers(told, prefix)
    if (messages.length > 0) return messages.map(flatMessage)
  }
  const spoken = events.flatMap(({ name, attributes }): readonly JsonObject[] => {
    const role = /^gen_ai\.(system|user|assistant|tool)\.message$/.exec(name)?.[1]
    if (role === undefined) return []
    const calls = unquoted(attributes['tool_calls'])
    return [{ ...attributes, role, ...(Array.isArray(calls) && { tool_calls: calls as JsonValue[] }) }]
  })
  if (spoken.length > 0) return spoken
  const input = unquoted(told['input.value'])
  return isJsonObject(input) ? input : undefined
}

function promptEvent(events: Span['events']): JsonValue | undefined {
  return events.find(({ name }) => name === 'gen_ai.content.prompt')?.attributes['gen_ai.prompt']
}

/** A message that was written member by member. */
function flatMessage(flat: JsonObject): JsonObject {
  const message = objectIn(flat, 'message')
  const said = Object.keys(message).length > 0 ? message : flat
  const calls = objectsIn(said, 'tool_calls').map((call) => {
    const inner = objectIn(call, 'tool_call')
    return Object.keys(inner).length > 0 ? inner : call
  })
  const contents = objectsIn(said, 'contents').map((part) => {
    return { type: 'text', text: textIn(objectIn(part, 'message_content'), 'text') ?? '' }
  })
  return {
    ...said,
    ...(said['content'] === undefined && contents.length > 0 && { content: contents }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

function toolsIn(told: JsonObject): unknown {
  const whole = unquoted(told['gen_ai.tool.definitions'] ?? told['ai.prompt.tools'])
  if (Array.isArray(whole)) return whole.map(unquoted)
  const listed = numberedMembers(told, 'llm.tools').map((tool) => unquoted(objectIn(tool, 'tool')['json_schema']))
  return listed.length > 0 ? listed : numberedMembers(told, 'llm.request.functions')
}

function systemIn(told: JsonObject): string | undefined {
  const given = unquoted(told['gen_ai.system_instructions'])
  if (typeof given === 'string') return given
  const texts = objectsIn(given).flatMap((part) => textIn(part, 'content', 'text') ?? [])
  return texts.length === 0 ? undefined : texts.join('\n')
}
