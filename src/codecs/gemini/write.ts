import type { Item, ResponseFormat, Sampling } from '../../core/index.ts'
import { functionsOf, objectText } from '../text-tools/as-functions.ts'
import type { DialectWriting, Draft, Piece, Saying } from '../write-request.ts'
import { inlineReferences } from '../inline-references.ts'
import { byCall, jsonMember, rawArray, rawObject } from '../write-request.ts'
import { writeTurns } from '../write-turns.ts'
import { geminiToolJson } from './encode.ts'
import { geminiMediaJson } from './media.ts'
import { anySignature, isThirdGeneration } from './sign-calls.ts'
import { thinkingConfig } from './thinking.ts'

/** Most words at which a model may be told to stop. */
const mostStops = 5

export const geminiWriting: DialectWriting = {
  dialect: 'gemini',
  toolNames: { refused: /[^a-zA-Z0-9_.:-]/g, begins: /^[a-zA-Z_]/, mostChars: 64 },
  callIds: { refused: /[^\x21-\x7e]/g, mostChars: 128 },
  write: writeGemini,
}

/** The members of a request body. */
function writeGemini(draft: Draft): readonly string[] {
  const { system, turns } = writeTurns(draft, {
    system: textParts,
    parts: (saying) => (saying.role === 'tool' ? resultParts(draft, saying) : spokenParts(draft, saying)),
  })
  const contents = turns.map(({ role, parts }) => {
    return `{"role":"${role === 'assistant' ? 'model' : 'user'}","parts":${rawArray(parts)}}`
  })
  const tools = functionsOf(draft).map((tool) => geminiToolJson({ ...tool, schema: inlineReferences(tool.schema) }))
  const config = configMembers(draft)
  return [
    ...(system.length === 0 ? [] : [`"systemInstruction":{"parts":${rawArray(system)}}`]),
    ...(tools.length === 0 ? [] : [`"tools":[{"functionDeclarations":${rawArray(tools)}}]`]),
    ...(tools.length === 0 ? [] : jsonMember('toolConfig', toolConfig(draft))),
    `"contents":${rawArray(contents)}`,
    ...(config.length === 0 ? [] : [`"generationConfig":${rawObject(config)}`]),
  ]
}

function isThird({ conversation }: Draft): boolean {
  return isThirdGeneration(conversation.model)
}

function spokenParts(draft: Draft, { pieces }: Saying): readonly string[] {
  const firstCall = pieces.findIndex(({ item }) => item.kind === 'tool-call')
  return pieces.flatMap((piece, at) => part(draft, piece, at === firstCall))
}

function part(draft: Draft, { item, text }: Piece, isFirstCall = false): readonly string[] {
  switch (item.kind) {
    case 'media':
      return mediaParts(draft, item)
    case 'tool-call':
      return [callPart(draft, { item, text }, isFirstCall)]
    case 'reasoning':
    case 'opaque': {
      if (item.provenance?.sourceId.startsWith('gemini:') === true) return [text]
      draft.lose(item.kind, item.id, 'only the provider that wrote it reads it')
      return []
    }
    default:
      return textParts(text)
  }
}

/** Empty words are refused. */
function textParts(text: string): readonly string[] {
  return text === '' ? [] : [rawObject(jsonMember('text', text))]
}

/** Of calls that were made together, the first carries the signature. */
function callPart(draft: Draft, { item, text }: Piece, isFirst: boolean): string {
  const isOwn = item.provenance?.sourceId.startsWith('gemini:') === true
  if (isOwn && item.frozen === true)
    draft.lose('reasoning', item.id, 'its signature does not stand in the conversation')
  const call = rawObject([
    ...jsonMember('id', item.toolCallId),
    ...jsonMember('name', item.toolName ?? ''),
    `"args":${objectText(draft, item, text)}`,
  ])
  const signature = isFirst && isThird(draft) ? jsonMember('thoughtSignature', anySignature) : []
  return rawObject([`"functionCall":${call}`, ...signature])
}

function resultParts(draft: Draft, { pieces }: Saying): readonly string[] {
  const shown: string[] = []
  const results = Array.from(byCall(pieces), ([id, all]) => {
    const [first] = all
    const texts = all.flatMap(({ item, text }) => (item.kind === 'tool-result' ? [text] : []))
    const failed = all.some(({ item }) => item.status === 'error')
    for (const { item } of all)
      if (item.kind === 'opaque') draft.lose('opaque', item.id, 'only the provider that wrote it reads it')
    const media = all.flatMap(({ item }) => (item.kind === 'media' ? mediaParts(draft, item) : []))
    if (!isThird(draft)) shown.push(...shownBehind(draft, all, media.splice(0)))
    const response = rawObject([
      ...jsonMember('id', id),
      ...jsonMember('name', first?.item.toolName ?? ''),
      ...jsonMember('response', { [failed ? 'error' : 'output']: texts.join('\n') }),
      ...(media.length === 0 ? [] : [`"parts":${rawArray(media)}`]),
    ])
    return rawObject([`"functionResponse":${response}`])
  })
  return [...results, ...shown]
}

/** Results of older models are texts: what they show stands right behind them. */
function shownBehind(draft: Draft, pieces: readonly Piece[], media: readonly string[]): readonly string[] {
  for (const { item } of pieces)
    if (item.kind === 'media') draft.lose('placement', item.id, 'the user shows it behind the results')
  return media
}

function mediaParts(draft: Draft, item: Item): readonly string[] {
  const url = draft.mediaUrl(item)
  if (url === undefined) {
    draft.lose('media', item.id, 'its data are not at hand')
    return []
  }
  if (item.media?.detail !== undefined) draft.lose('media', item.id, 'there is no word for its detail')
  return [geminiMediaJson(item.media, url)]
}

function toolConfig({ conversation, lose }: Draft): object | undefined {
  const { toolChoice: choice, parallelToolCalls } = conversation.sampling
  if (parallelToolCalls === false) lose('sampling', 'parallelToolCalls', 'there is no word for it')
  return choice === undefined ? undefined : { functionCallingConfig: callingOf(choice) }
}

function callingOf(choice: NonNullable<Sampling['toolChoice']>): object {
  if (typeof choice === 'object') return { mode: 'ANY', allowedFunctionNames: [choice.name] }
  return { mode: { auto: 'AUTO', none: 'NONE', required: 'ANY' }[choice] }
}

function configMembers(draft: Draft): readonly string[] {
  const { conversation, lose } = draft
  const { maxOutputTokens, sampling } = conversation
  const { temperature, topP, topK, stop, seed, responseFormat } = sampling
  const tooMany = stop !== undefined && stop.length > mostStops
  if (tooMany) lose('sampling', 'stop', `only ${mostStops} of ${stop.length} are possible`)
  if (typeof responseFormat === 'object' && (responseFormat.name ?? responseFormat.strict) !== undefined)
    lose('sampling', 'responseFormat', 'its schema has no name, and is always strict')
  return [
    ...jsonMember('temperature', temperature),
    ...jsonMember('topP', topP),
    ...jsonMember('topK', topK),
    ...jsonMember('maxOutputTokens', maxOutputTokens),
    ...jsonMember('stopSequences', tooMany ? stop.slice(0, mostStops) : stop),
    ...jsonMember('seed', seed),
    ...(responseFormat === undefined ? [] : formatMembers(responseFormat)),
    ...jsonMember('thinkingConfig', thinkingConfig(draft, isThird(draft))),
  ]
}

function formatMembers(format: ResponseFormat): readonly string[] {
  const schema = format === 'json' ? [] : jsonMember('responseJsonSchema', inlineReferences(format.schema))
  return ['"responseMimeType":"application/json"', ...schema]
}
