import type { Item, ResponseFormat, Role, Sampling } from '../../core/index.ts'
import { isJsonObject, scanJson } from '../../core/index.ts'
import { takenSampling } from '../effort/taken-sampling.ts'
import { effortWord } from '../effort/effort.ts'
import { openaiEfforts } from '../effort/openai-efforts.ts'
import { textOfFile } from '../media/file-text.ts'
import { openaiToolNames, refusedInIds } from '../openai-names.ts'
import { placedInstructions } from '../place-instructions.ts'
import { parseData } from '../reply-body.ts'
import { contentOf } from '../write-content.ts'
import type { Part } from '../write-content.ts'
import type { DialectWriting, Draft, DraftTool, Piece, Saying } from '../write-request.ts'
import { byCall, jsonMember, rawArray, rawObject } from '../write-request.ts'
import { responsesToolJson } from './encode.ts'
import { itemType } from './items.ts'
import { responsesMediaJson } from './media.ts'

export const responsesWriting: DialectWriting = {
  dialect: 'openai-responses',
  toolNames: openaiToolNames,
  callIds: { refused: refusedInIds, mostChars: 64 },
  write: writeResponses,
}

/** The members of a request body. The provider need not keep what is said: all of it comes with each request. */
function writeResponses(draft: Draft): readonly string[] {
  const { model, stream, maxOutputTokens } = draft.conversation
  const input = placedInstructions(draft).flatMap((saying) => itemsOf(draft, saying))
  return [
    ...jsonMember('model', model),
    ...(stream ? jsonMember('stream', true) : []),
    ...jsonMember('store', false),
    ...(draft.tools.length === 0 ? [] : [`"tools":${rawArray(draft.tools.map(toolJson))}`]),
    `"input":${rawArray(input)}`,
    ...jsonMember('max_output_tokens', maxOutputTokens),
    ...samplingMembers(draft),
  ]
}

function toolJson(tool: DraftTool): string {
  if ('schema' in tool) return responsesToolJson(tool)
  const { name, description, grammar } = tool
  return JSON.stringify({
    type: 'custom',
    name,
    description,
    ...(grammar && { format: { type: 'grammar', ...grammar } }),
  })
}

/** A message holds what is said; reasoning, calls and what else the model puts out are items beside it, in their order. */
function itemsOf(draft: Draft, saying: Saying): readonly string[] {
  const { role, name, messageId, pieces } = saying
  if (name !== undefined) draft.lose('name', messageId, 'speakers have no names here')
  if (role === 'tool') return resultItems(draft, pieces)
  const items: string[] = []
  let parts: Part[] = []
  const close = (): void => {
    if (parts.length > 0) items.push(rawObject([...jsonMember('role', role), `"content":${contentOf(parts)}`]))
    parts = []
  }
  for (const piece of pieces) {
    const own = itemOf(draft, piece)
    if (own === undefined) parts.push(...part(draft, piece, role))
    else close()
    items.push(...(own ?? []))
  }
  close()
  return items
}

/** What stands beside messages; undefined for what stands in one. */
function itemOf(draft: Draft, { item, text }: Piece): readonly string[] | undefined {
  if (item.kind === 'tool-call') return [callJson(draft, { item, text })]
  if (item.kind !== 'reasoning' && item.kind !== 'opaque') return undefined
  if (!isOwn(item)) {
    const why = item.kind === 'reasoning' ? 'only the provider that wrote it reads it' : 'nobody knows its form'
    draft.lose(item.kind, item.id, why)
    return []
  }
  const isItem = isJsonObject(parseData(text)) && typeOf(text)?.startsWith('input_') !== true
  return isItem && typeOf(text) !== 'refusal' ? [text] : undefined
}

function isOwn({ provenance }: Item): boolean {
  return provenance?.sourceId.startsWith('openai-responses:') === true
}

function typeOf(raw: string): string | undefined {
  const tree = scanJson(raw)
  return itemType(tree, tree.root)
}

function resultItems(draft: Draft, pieces: readonly Piece[]): readonly string[] {
  return Array.from(byCall(pieces), ([id, results]) => {
    const parts = results.flatMap((piece) => part(draft, piece, 'user'))
    for (const { item } of results) {
      if (item.status === 'error') draft.lose('status', item.id, 'a result cannot be marked as failed')
    }
    const output = parts.length === 0 ? '""' : contentOf(parts)
    const isText = results.some(({ item }) => draft.takesText(item))
    const type = isText ? 'custom_tool_call_output' : 'function_call_output'
    return rawObject([...jsonMember('type', type), ...jsonMember('call_id', id), `"output":${output}`])
  })
}

function part(draft: Draft, { item, text }: Piece, role: Role): readonly Part[] {
  if (item.kind === 'media') return mediaPart(draft, item, role)
  if (item.kind === 'opaque') return [{ raw: text }]
  const type = role === 'assistant' ? 'output_text' : 'input_text'
  return [{ raw: rawObject([...jsonMember('type', type), ...jsonMember('text', text)]), text }]
}

function mediaPart(draft: Draft, item: Item, role: Role): readonly Part[] {
  const url = draft.mediaUrl(item)
  const words = url === undefined ? undefined : textOfFile(item.media, url)
  if (words !== undefined) return part(draft, { item: { ...item, kind: 'text' }, text: words }, role)
  const raw = url === undefined ? undefined : responsesMediaJson(item.media, url)
  if (role === 'user' && raw !== undefined) return [{ raw }]
  const why = role === 'user' ? 'its data are not at hand, or no part holds them' : 'only the user may show it'
  draft.lose('media', item.id, why)
  return []
}

function callJson(draft: Draft, { item, text }: Piece): string {
  const { toolCallId = item.id, toolName: name = '' } = item
  if (draft.takesText(item)) return JSON.stringify({ type: 'custom_tool_call', call_id: toolCallId, name, input: text })
  return JSON.stringify({ type: 'function_call', call_id: toolCallId, name, arguments: text })
}

function samplingMembers(draft: Draft): readonly string[] {
  const { temperature, topP, topK, stop, seed, parallelToolCalls, responseFormat, ...rest } =
    draft.conversation.sampling
  const unsaid = { topK, stop, seed }
  for (const [name, value] of Object.entries(unsaid))
    if (value !== undefined) draft.lose('sampling', name, 'there is no word for it')
  const hasTools = draft.tools.length > 0
  const chance = takenSampling(draft, { temperature, topP })
  const effort = effortWord(draft, openaiEfforts(draft.conversation.model))
  return [
    ...jsonMember('temperature', chance.temperature),
    ...jsonMember('top_p', chance.topP),
    ...jsonMember('tool_choice', hasTools ? choiceOf(draft, rest) : undefined),
    ...jsonMember('parallel_tool_calls', hasTools ? parallelToolCalls : undefined),
    ...jsonMember('reasoning', effort && { effort }),
    ...jsonMember('text', responseFormat === undefined ? undefined : { format: formatOf(responseFormat) }),
  ]
}

function choiceOf({ conversation }: Draft, { toolChoice: choice }: Sampling): unknown {
  if (typeof choice !== 'object') return choice
  const isText = conversation.textTools?.some(({ name }) => name === choice.name) === true
  return { type: isText ? 'custom' : 'function', name: choice.name }
}

function formatOf(format: ResponseFormat): object {
  if (format === 'json') return { type: 'json_object' }
  return { type: 'json_schema', name: 'reply', ...format }
}
