import type { Item, ResponseFormat, Sampling, TextTool } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { effortWord } from '../effort/effort.ts'
import { openaiEfforts } from '../effort/openai-efforts.ts'
import { optional } from '../optional.ts'
import { parseData } from '../reply-body.ts'
import { functionsOf } from '../text-tools/as-functions.ts'
import { argumentsOf } from '../text-tools/text-tool.ts'
import { contentOf } from '../write-content.ts'
import type { Part } from '../write-content.ts'
import type { Draft, Piece, Saying } from '../write-request.ts'
import { byCall, jsonMember, rawArray, rawObject } from '../write-request.ts'
import { openaiToolJson } from './encode.ts'
import { openaiMediaJson } from './media.ts'

/** Most words at which a model may be told to stop. */
const mostStops = 4

/** The members of a request body. */
export function writeOpenai(draft: Draft): readonly string[] {
  const { model, stream, maxOutputTokens } = draft.conversation
  const messages = draft.sayings.flatMap((saying) => messagesOf(draft, saying))
  return [
    ...jsonMember('model', model),
    // Without being asked for it, a stream does not tell what was used.
    ...(stream ? ['"stream":true', '"stream_options":{"include_usage":true}'] : []),
    ...(draft.tools.length === 0 ? [] : [`"tools":${rawArray(toolsJson(draft))}`]),
    `"messages":${rawArray(messages)}`,
    ...jsonMember('max_completion_tokens', maxOutputTokens),
    ...samplingMembers(draft),
  ]
}

/** Many servers of this dialect know functions only: a tool that takes a text is none to those alone who said so in this dialect. */
function isAsItIs({ conversation }: Draft, isText: boolean): boolean {
  return isText && conversation.items.some(({ kind, provenance }) => kind === 'tool-schema' && isOwn(provenance))
}

function isOwn(provenance: Item['provenance']): boolean {
  return provenance?.sourceId.startsWith('openai-chat:') === true
}

function toolsJson(draft: Draft): readonly string[] {
  if (!isAsItIs(draft, true)) return functionsOf(draft).map(openaiToolJson)
  return draft.tools.map((tool) => ('schema' in tool ? openaiToolJson(tool) : textToolJson(tool)))
}

function textToolJson({ name, description, grammar }: TextTool): string {
  const format = grammar && { type: 'grammar', grammar }
  return JSON.stringify({ type: 'custom', custom: { name, description, ...optional('format', format) } })
}

function messagesOf(draft: Draft, saying: Saying): readonly string[] {
  const { role, name, pieces } = saying
  if (role === 'tool') return resultMessages(draft, pieces)
  const calls = pieces.filter(({ item }) => item.kind === 'tool-call')
  const parts = pieces.flatMap((piece) => (piece.item.kind === 'tool-call' ? [] : part(draft, piece, role)))
  if (parts.length === 0 && calls.length === 0) return []
  return [
    rawObject([
      ...jsonMember('role', role),
      ...jsonMember('name', name),
      `"content":${contentOf(parts)}`,
      ...(calls.length === 0 ? [] : [`"tool_calls":${rawArray(calls.map((call) => callJson(draft, call)))}`]),
    ]),
  ]
}

function resultMessages(draft: Draft, pieces: readonly Piece[]): readonly string[] {
  return Array.from(byCall(pieces), ([id, results]) => {
    const parts = results.flatMap((piece) => part(draft, piece, 'tool'))
    for (const { item } of results) {
      if (item.status === 'error') draft.lose('status', item.id, 'a result cannot be marked as failed')
    }
    const content = parts.length === 0 ? '""' : contentOf(parts)
    return rawObject(['"role":"tool"', ...jsonMember('tool_call_id', id), `"content":${content}`])
  })
}

function part(draft: Draft, { item, text }: Piece, role: string): readonly Part[] {
  switch (item.kind) {
    case 'media':
      return mediaPart(draft, item, role)
    case 'reasoning':
      draft.lose('reasoning', item.id, 'only the provider that wrote it reads it')
      return []
    case 'opaque': {
      if (isOwn(item.provenance) && isJsonObject(parseData(text))) return [{ raw: text }]
      draft.lose('opaque', item.id, 'nobody knows its form')
      return []
    }
    default:
      return [{ raw: rawObject(['"type":"text"', ...jsonMember('text', text)]), text }]
  }
}

function mediaPart(draft: Draft, item: Item, role: string): readonly Part[] {
  const url = draft.mediaUrl(item)
  const raw = url === undefined ? undefined : openaiMediaJson(item.media, url)
  if (role === 'user' && raw !== undefined) return [{ raw }]
  const why = role === 'user' ? 'its data are not at hand, or no part holds them' : 'only the user may show it'
  draft.lose('media', item.id, why)
  return []
}

function callJson(draft: Draft, { item, text }: Piece): string {
  const { toolCallId: id = item.id, toolName: name = '' } = item
  const isText = draft.takesText(item)
  if (isAsItIs(draft, isText)) return JSON.stringify({ id, type: 'custom', custom: { name, input: text } })
  const body = { name, arguments: isText ? argumentsOf(text) : text }
  return JSON.stringify({ id, type: 'function', function: body })
}

function samplingMembers(draft: Draft): readonly string[] {
  const { temperature, topP, topK, stop, seed, parallelToolCalls, responseFormat, ...rest } =
    draft.conversation.sampling
  if (topK !== undefined) draft.lose('sampling', 'topK', 'there is no word for it')
  const tooMany = stop !== undefined && stop.length > mostStops
  if (tooMany) draft.lose('sampling', 'stop', `only ${mostStops} of ${stop.length} are possible`)
  const hasTools = draft.tools.length > 0
  return [
    ...jsonMember('temperature', temperature),
    ...jsonMember('top_p', topP),
    ...jsonMember('stop', tooMany ? stop.slice(0, mostStops) : stop),
    ...jsonMember('seed', seed),
    ...jsonMember('tool_choice', hasTools ? choiceOf(draft, rest) : undefined),
    ...jsonMember('parallel_tool_calls', hasTools ? parallelToolCalls : undefined),
    ...jsonMember('reasoning_effort', effortWord(draft, openaiEfforts(draft.conversation.model))),
    ...jsonMember('response_format', responseFormat === undefined ? undefined : formatOf(responseFormat)),
  ]
}

function choiceOf(draft: Draft, { toolChoice: choice }: Sampling): unknown {
  if (typeof choice !== 'object') return choice
  const { name } = choice
  const isText = draft.conversation.textTools?.some((tool) => tool.name === name) === true
  return isAsItIs(draft, isText) ? { type: 'custom', custom: { name } } : { type: 'function', function: { name } }
}

function formatOf(format: ResponseFormat): object {
  if (format === 'json') return { type: 'json_object' }
  return { type: 'json_schema', json_schema: { name: 'reply', ...format } }
}
