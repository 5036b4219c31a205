import { toolUse } from '../../core/index.ts'
import type { Item, ItemDetails, Media, MediaType } from '../../core/index.ts'
import type { McpCall, McpContent, McpResult } from './types.ts'

/** A call and what came of it as items that stay or go together: the call, its result, and what the result has that is no text. */
export function mcpToolUse(call: McpCall, result: McpResult, details: ItemDetails = {}): readonly Item[] {
  const { id, name, arguments: input = {} } = call
  const status = result.isError === true ? 'error' : 'ok'
  const [called, answered] = toolUse({ id, name, arguments: input, result: mcpText(result), status }, details)
  const beside = forTheModel(result).flatMap((content) => mediaOf(content) ?? [])
  const media = beside.map((own, index): Item => {
    return { ...answered, id: `${answered.id}.${index + 1}`, kind: 'media', text: '', media: own }
  })
  return [called, answered, ...media]
}

/** All that a result says in words. What is structured is said once: servers repeat it as text. */
export function mcpText(result: McpResult): string {
  const words = forTheModel(result).flatMap((content) => wordsOf(content) ?? [])
  const { structuredContent } = result
  if (words.length > 0 || structuredContent === undefined) return words.join('\n')
  return JSON.stringify(structuredContent)
}

/** A server may say that a part is for people only. */
function forTheModel({ content }: McpResult): readonly McpContent[] {
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
