import { invalidInput, jsonTextOf, toolUse } from '../../core/index.ts'
import type { Item, ItemDetails, JsonValue, Media, MediaType } from '../../core/index.ts'
import { saidOnce } from './said-once.ts'
import type { McpCall, McpContent, McpContentResult, McpResult } from './types.ts'

/** A call and its result as items that stay or go together: the call, the words of the result, and one more for each picture or file. */
export function mcpToolUse(call: McpCall, result: McpResult, details: ItemDetails = {}): readonly Item[] {
  const { id, name, arguments: input = {} } = call
  const answer = contentOf(result)
  const status = answer.isError === true ? 'error' : 'ok'
  const [called, answered] = toolUse({ id, name, arguments: input, result: textOf(answer), status }, details)
  const beside = forTheModel(answer).flatMap((content) => mediaOf(content) ?? [])
  const media = beside.map((own, index): Item => {
    return { ...answered, id: `${answered.id}.${index + 1}`, kind: 'media', text: '', media: own }
  })
  return [called, answered, ...media]
}

/** The words of a result, with its structured content where that says more than they do: servers repeat it as text. */
export function mcpText(result: McpResult): string {
  return textOf(contentOf(result))
}

function textOf(result: McpContentResult): string {
  const words = forTheModel(result).flatMap((content) => wordsOf(content) ?? [])
  const { structuredContent } = result
  if (structuredContent === undefined) return words.join('\n')
  const dataText = jsonTextOf(structuredContent, 'result.structuredContent')
  return words.length === 0 ? dataText : saidOnce(words, JSON.parse(dataText) as JsonValue, dataText)
}

/** A result of today's protocol, also where the server speaks an older one. Throws `invalid-input` where it is neither. */
function contentOf(result: McpResult): McpContentResult {
  const given: unknown = result
  if (typeof given === 'object' && given !== null) {
    if ('content' in given && Array.isArray(given.content)) return given as McpContentResult
    if ('toolResult' in given) {
      const { toolResult } = given
      const text = typeof toolResult === 'string' ? toolResult : jsonTextOf(toolResult ?? null, 'result.toolResult')
      return { content: [{ type: 'text', text }] }
    }
  }
  throw invalidInput('result', 'is not the result of a tool call', 'Give what client.callTool returned.')
}

/** A server may say that a part is for people only. */
function forTheModel({ content }: McpContentResult): readonly McpContent[] {
  return content.filter(({ annotations }) => annotations?.audience?.includes('assistant') ?? true)
}

function wordsOf(content: McpContent): string | undefined {
  switch (content.type) {
    case 'text':
      return content.text
    case 'resource_link': {
      const { name, uri, description } = content
      return description === undefined ? `${name}: ${uri}` : `${name}: ${uri} (${description})`
    }
    case 'resource': {
      const { uri, text } = content.resource
      return text === undefined ? undefined : `${uri}:\n${text}`
    }
    default:
      return undefined
  }
}

function mediaOf(content: McpContent): Media | undefined {
  if (content.type === 'image' || content.type === 'audio') return mediaOfBytes(content.data, content.mimeType)
  if (content.type !== 'resource' || content.resource.blob === undefined) return undefined
  return mediaOfBytes(content.resource.blob, content.resource.mimeType)
}

function mediaOfBytes(data: string, mimeType = ''): Media {
  const [kind = ''] = mimeType.split('/', 1)
  const type: MediaType = kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'document'
  const sizeBytes = Math.floor((data.replace(/=+$/, '').length * 3) / 4)
  return { type, sizeBytes, ...(mimeType !== '' && { mimeType }) }
}
