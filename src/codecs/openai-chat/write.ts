import type { Item, ResponseFormat, Sampling, TextTool, ToolDefinition } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { takenSampling } from '../effort/taken-sampling.ts'
import { effortWord } from '../effort/effort.ts'
import { openaiEfforts } from '../effort/openai-efforts.ts'
import { textOfFile } from '../media/file-text.ts'
import { insistsOnReasoning, isOpenaiModel, wantsReasoning } from '../openai-models.ts'
import { optional } from '../optional.ts'
import { openaiToolNames, refusedInIds } from '../openai-names.ts'
import { placedInstructions } from '../place-instructions.ts'
import { unknownReasoning } from '../reasoning/foreign-reasoning.ts'
import { mayBeOf } from '../reasoning/owner.ts'
import { parseData } from '../reply-body.ts'
import { functionsOf } from '../text-tools/as-functions.ts'
import { argumentsOf } from '../text-tools/text-tool.ts'
import { contentOf } from '../write-content.ts'
import type { Part } from '../write-content.ts'
import type { DialectWriting, Draft, Piece, Saying } from '../write-request.ts'
import { byCall, jsonMember, rawArray, rawObject } from '../write-request.ts'
import { describedFor } from './description.ts'
import { openaiToolJson } from './encode.ts'
import { openaiMediaJson } from './media.ts'

/** Most words at which a model may be told to stop. */
const mostStops = 4

export const openaiWriting: DialectWriting = {
  dialect: 'openai-chat',
  toolNames: openaiToolNames,
  callIds: { refused: refusedInIds, mostChars: 40 },
  write: writeOpenai,
}

/** The members of a request body. */
function writeOpenai(draft: Draft): readonly string[] {
  const { model, stream, maxOutputTokens } = draft.conversation
  const messages = placedInstructions(draft).flatMap((saying) => messagesOf(draft, saying))
  const limit = isOpenaiModel(model) ? 'max_completion_tokens' : 'max_tokens'
  return [
    ...jsonMember('model', model),
    // Without being asked for it, a stream does not tell what was used.
    ...(stream ? ['"stream":true'] : []),
    ...(stream && draft.asksUsage ? ['"stream_options":{"include_usage":true}'] : []),
    ...(draft.tools.length === 0 ? [] : [`"tools":${rawArray(toolsJson(draft))}`]),
    `"messages":${rawArray(messages)}`,
    ...jsonMember(limit, maxOutputTokens),
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
  const functionJson = (tool: ToolDefinition): string => openaiToolJson(describedFor(draft, tool))
  if (!isAsItIs(draft, true)) return functionsOf(draft).map(functionJson)
  return draft.tools.map((tool) => ('schema' in tool ? functionJson(tool) : textToolJson(tool)))
}

function textToolJson({ name, description, grammar }: TextTool): string {
  const format = grammar && { type: 'grammar', grammar }
  return JSON.stringify({ type: 'custom', custom: { name, description, ...optional('format', format) } })
}

function messagesOf(draft: Draft, saying: Saying): readonly string[] {
  const { role, name, pieces } = saying
  if (role === 'tool') return resultMessages(draft, pieces)
  const calls = pieces.filter(({ item }) => item.kind === 'tool-call')
  const parts = pieces.flatMap((piece) => (piece.item.kind === 'tool-call' ? [] : part(draft, piece)))
  if (parts.length === 0 && calls.length === 0) return []
  return [
    rawObject([
      ...jsonMember('role', role),
      ...jsonMember('name', name),
      `"content":${contentOf(parts)}`,
      ...reasoningMember(draft, saying, calls.length > 0),
      ...(calls.length === 0 ? [] : [`"tool_calls":${rawArray(calls.map((call) => callJson(draft, call)))}`]),
    ]),
  ]
}

/** A model that thinks between calls wants the reasoning back with which it made them. */
function reasoningMember(draft: Draft, { pieces }: Saying, hasCalls: boolean): readonly string[] {
  if (!hasCalls || !wantsReasoning(draft.conversation.model)) return []
  const words = pieces.flatMap(({ item }) => (isReturned(draft, item) ? [item.words] : []))
  if (words.length > 0) return jsonMember('reasoning_content', words.join('\n\n'))
  return insistsOnReasoning(draft.conversation.model) ? jsonMember('reasoning_content', unknownReasoning) : []
}

/** Whether a model is given reasoning back: where it may have written it itself, and nobody has sealed it. */
function isReturned({ conversation: { model } }: Draft, { kind, words, reasonedBy }: Item): boolean {
  return kind === 'reasoning' && words !== undefined && wantsReasoning(model) && mayBeOf(model, reasonedBy)
}

function resultMessages(draft: Draft, pieces: readonly Piece[]): readonly string[] {
  return [...resultTexts(draft, pieces), ...shownByUser(draft, pieces)]
}

/** Results are texts: what they show stands in a message of the user right behind them. */
function shownByUser(draft: Draft, pieces: readonly Piece[]): readonly string[] {
  const parts = pieces.flatMap(({ item }) => (item.kind === 'media' ? mediaPart(draft, item) : []))
  for (const { item } of pieces)
    if (item.kind === 'media') draft.lose('placement', item.id, 'the user shows it behind the results')
  return parts.length === 0 ? [] : [rawObject(['"role":"user"', `"content":${rawArray(parts.map(({ raw }) => raw))}`])]
}

const shownBehind = '(The user shows it in the next message.)'

function resultTexts(draft: Draft, pieces: readonly Piece[]): readonly string[] {
  return Array.from(byCall(pieces), ([id, results]) => {
    const texts = results.flatMap((piece) => (piece.item.kind === 'media' ? [] : part(draft, piece)))
    const isShown = texts.length === 0 && results.some(({ item }) => item.kind === 'media')
    const parts = isShown ? [{ raw: '', text: shownBehind }] : texts
    for (const { item } of results) {
      if (item.status === 'error') draft.lose('status', item.id, 'a result cannot be marked as failed')
    }
    const content = parts.length === 0 ? '""' : contentOf(parts)
    return rawObject(['"role":"tool"', ...jsonMember('tool_call_id', id), `"content":${content}`])
  })
}

function part(draft: Draft, { item, text }: Piece): readonly Part[] {
  switch (item.kind) {
    case 'media':
      return mediaPart(draft, item)
    case 'reasoning':
      if (isReturned(draft, item)) return []
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

function mediaPart(draft: Draft, item: Item): readonly Part[] {
  const url = draft.mediaUrl(item)
  const words = url === undefined ? undefined : textOfFile(item.media, url)
  if (words !== undefined) return [{ raw: rawObject(['"type":"text"', ...jsonMember('text', words)]), text: words }]
  const raw = url === undefined ? undefined : openaiMediaJson(item.media, url)
  const mayShow = item.role === 'user' || item.role === 'tool'
  if (mayShow && raw !== undefined) return [{ raw }]
  const why = mayShow ? 'its data are not at hand, or no part holds them' : 'only the user may show it'
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
  const chance = takenSampling(draft, { temperature, topP, stop: tooMany ? stop.slice(0, mostStops) : stop })
  return [
    ...jsonMember('temperature', chance.temperature),
    ...jsonMember('top_p', chance.topP),
    ...jsonMember('stop', chance.stop),
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
