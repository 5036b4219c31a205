import type { Item, Sampling, ToolChoice } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { textOfFile } from '../media/file-text.ts'
import { parseDataUrl } from '../media/media-data.ts'
import { optional } from '../optional.ts'
import { parseData } from '../reply-body.ts'
import { functionsOf, objectText } from '../text-tools/as-functions.ts'
import type { DialectWriting, Draft, Piece, Saying } from '../write-request.ts'
import { byCall, jsonMember, rawArray, rawObject } from '../write-request.ts'
import { writeTurns } from '../write-turns.ts'
import { anthropicToolJson } from './encode.ts'
import { anthropicMediaJson } from './media.ts'
import type { WrittenThinking } from './thinking.ts'
import { takesOneChance, takesPrefill, takesSampling, takesSystem, writtenThinking } from './thinking.ts'

/** Anthropic wants to be told how long a reply may be; this much every model can write. */
const usualMaxTokens = 4096

export const anthropicWriting: DialectWriting = {
  dialect: 'anthropic-messages',
  toolNames: { refused: /[^a-zA-Z0-9_-]/g, mostChars: 128 },
  callIds: { refused: /[^a-zA-Z0-9_-]/g, mostChars: 128 },
  write: writeAnthropic,
}

/** The members of a request body. */
function writeAnthropic(draft: Draft): readonly string[] {
  const { model, stream, maxOutputTokens } = draft.conversation
  const thinking = writtenThinking(draft)
  const { system, turns } = writeTurns(draft, {
    takesSystem: takesSystem(model),
    goesOnFrom: (parts) => prefill(draft, parts),
    system: (text, itemId) => textBlocks(draft, itemId, text),
    parts: (saying) =>
      saying.role === 'tool' ? resultBlocks(draft, saying) : saying.pieces.flatMap((piece) => block(draft, piece)),
  })
  const messages = turns.map(({ role, parts }) => `{"role":"${role}","content":${rawArray(parts)}}`)
  return [
    ...jsonMember('model', model),
    ...jsonMember('max_tokens', maxOutputTokens ?? draft.mostOutputTokens ?? usualMaxTokens + thinking.moreTokens),
    ...(stream ? jsonMember('stream', true) : []),
    ...(draft.tools.length === 0 ? [] : [`"tools":${rawArray(functionsOf(draft).map(anthropicToolJson))}`]),
    ...(system.length === 0 ? [] : [`"system":${rawArray(system)}`]),
    `"messages":${rawArray(messages)}`,
    ...jsonMember('thinking', thinking.thinking),
    ...samplingMembers(draft, thinking),
  ]
}

function resultBlocks(draft: Draft, { pieces }: Saying): readonly string[] {
  return Array.from(byCall(pieces), ([id, parts]) => {
    const contents = parts.flatMap(({ item, text }) => block(draft, { item: { ...item, role: 'user' }, text }))
    const failed = parts.some(({ item }) => item.status === 'error')
    return rawObject([
      '"type":"tool_result"',
      ...jsonMember('tool_use_id', id),
      ...(contents.length === 0 ? [] : [`"content":${rawArray(contents)}`]),
      ...(failed ? ['"is_error":true'] : []),
    ])
  })
}

function block(draft: Draft, { item, text }: Piece): readonly string[] {
  switch (item.kind) {
    case 'media':
      return mediaBlock(draft, item)
    case 'tool-call':
      return [callBlock(draft, item, text)]
    case 'reasoning':
    case 'opaque': {
      if (item.provenance?.sourceId.startsWith('anthropic-messages:') === true) return [text]
      draft.lose(item.kind, item.id, 'only the provider that wrote it reads it')
      return []
    }
    default:
      return textBlocks(draft, item.id, text)
  }
}

/** A text block that is empty, or all white space, is refused. */
function textBlocks(draft: Draft, itemId: string, text: string): readonly string[] {
  if (text.trim() !== '') return [rawObject(['"type":"text"', ...jsonMember('text', text)])]
  if (text !== '') draft.lose('text', itemId, 'it is white space alone, which is refused')
  return []
}

function callBlock(draft: Draft, item: Item, text: string): string {
  return rawObject([
    '"type":"tool_use"',
    ...jsonMember('id', item.toolCallId ?? item.id),
    ...jsonMember('name', item.toolName ?? ''),
    `"input":${objectText(draft, item, text)}`,
  ])
}

function mediaBlock(draft: Draft, item: Item): readonly string[] {
  const type = item.media?.type
  const url = draft.mediaUrl(item)
  const words = url === undefined ? undefined : textOfFile(item.media, url)
  if (words !== undefined) return textBlocks(draft, item.id, words)
  if (url !== undefined && isRefusedFile(url)) {
    draft.lose('media', item.id, 'documents are PDF here, and images JPEG, PNG, GIF or WebP')
    return []
  }
  const known = type === 'image' || type === 'document'
  if (!known || url === undefined) {
    draft.lose('media', item.id, known ? 'its data are not at hand' : `there is no block for ${type ?? 'this'}`)
    return []
  }
  if (item.media?.detail !== undefined) draft.lose('media', item.id, 'there is no word for its detail')
  return [anthropicMediaJson(type, url)]
}

const takenFiles = /^(?:application\/pdf|image\/(?:jpeg|png|gif|webp))$/

function isRefusedFile(url: string): boolean {
  const data = parseDataUrl(url)
  return data !== undefined && !takenFiles.test(data.mimeType)
}

/** What the assistant has begun to say, for the model to go on from: without white space at its end, which is refused. */
function prefill(draft: Draft, parts: readonly string[]): readonly string[] | undefined {
  if (!takesPrefill(draft.conversation.model)) return undefined
  const last: unknown = parseData(parts.at(-1) ?? '')
  if (!isJsonObject(last) || typeof last['text'] !== 'string') return parts
  const text = last['text'].trimEnd()
  if (text === last['text']) return parts
  draft.lose('text', draft.sayings.at(-1)?.pieces.at(-1)?.item.id ?? '', 'white space at the end is refused')
  return [...parts.slice(0, -1), JSON.stringify({ ...last, text })]
}

function samplingMembers(draft: Draft, { effort }: WrittenThinking): readonly string[] {
  const { sampling } = draft.conversation
  const { stop, seed, responseFormat } = sampling
  if (seed !== undefined) draft.lose('sampling', 'seed', 'there is no word for it')
  const chance = chanceMembers(draft)
  if (responseFormat === 'json') draft.lose('sampling', 'responseFormat', 'JSON needs a schema here')
  const stops = stop?.filter((text) => text.trim() !== '')
  if (stops?.length !== stop?.length) draft.lose('sampling', 'stop', 'white space alone does not stop a reply here')
  const schema = typeof responseFormat === 'object' ? responseFormat.schema : undefined
  if (typeof responseFormat === 'object' && (responseFormat.name ?? responseFormat.strict) !== undefined)
    draft.lose('sampling', 'responseFormat', 'its schema has no name, and is always strict')
  const format = schema === undefined ? undefined : { type: 'json_schema', schema }
  const output = { ...optional('format', format), ...optional('effort', effort) }
  return [
    ...chance,
    ...jsonMember('stop_sequences', stops?.length === 0 ? undefined : stops),
    ...jsonMember('tool_choice', draft.tools.length === 0 ? undefined : toolChoice(sampling)),
    ...jsonMember('output_config', Object.keys(output).length === 0 ? undefined : output),
  ]
}

/** What the model makes of chance, where it lets itself be told. */
function chanceMembers({ conversation, lose }: Draft): readonly string[] {
  const { temperature, topP, topK } = conversation.sampling
  if (!takesSampling(conversation.model)) {
    for (const [name, value] of Object.entries({ temperature, topP, topK }))
      if (value !== undefined) lose('sampling', name, 'the model refuses it')
    return []
  }
  const tooHot = temperature !== undefined && temperature > 1
  const isBeside = temperature !== undefined && !tooHot && topP !== undefined && takesOneChance(conversation.model)
  if (isBeside) lose('sampling', 'topP', 'the model takes it or a temperature')
  if (tooHot) lose('sampling', 'temperature', 'it is 1 at most')
  return [
    ...jsonMember('temperature', tooHot ? undefined : temperature),
    ...jsonMember('top_p', isBeside ? undefined : topP),
    ...jsonMember('top_k', topK),
  ]
}

function toolChoice({ toolChoice: choice, parallelToolCalls: parallel }: Sampling): object | undefined {
  if (choice === undefined && parallel === undefined) return undefined
  const single = parallel === undefined || choice === 'none' ? {} : { disable_parallel_tool_use: !parallel }
  return { ...choiceOf(choice), ...single }
}

function choiceOf(choice: ToolChoice = 'auto'): object {
  if (typeof choice === 'object') return { type: 'tool', name: choice.name }
  return { type: choice === 'required' ? 'any' : choice }
}
