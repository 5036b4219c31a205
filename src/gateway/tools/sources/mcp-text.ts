import { isJsonObject } from '../../../core/index.ts'
import type { JsonValue } from '../../../core/index.ts'
import { toolError } from './tool-failure.ts'
import type { SourceResult } from './tool-source.ts'

/** Parts of one result that are read. */
const mostParts = 1000

/** What an MCP server has answered, in words and as a value. Throws `ToolFailure` where the answer says that the tool failed. */
export function mcpResult(answer: unknown): SourceResult {
  const { content, structuredContent, isError } = isJsonObject(answer) ? answer : {}
  const parts = Array.isArray(content) ? content.slice(0, mostParts).flatMap(textOf) : []
  const structured = isJsonObject(structuredContent) ? structuredContent : undefined
  const text = parts.length > 0 || structured === undefined ? parts.join('\n') : JSON.stringify(structured)
  if (isError === true) throw toolError(text === '' ? 'The tool failed and does not say why.' : text)
  return { text, ...(structured !== undefined && { structured }) }
}

function textOf(part: JsonValue): readonly string[] {
  if (!isJsonObject(part)) return []
  const { type, text, data, mimeType, uri, name, description, resource } = part
  if (type === 'text' && typeof text === 'string') return [text]
  if (type === 'image' || type === 'audio') return [`[${type} ${shown(mimeType)}, ${sizeOf(data)} bytes]`]
  if (type === 'resource_link')
    return [`${shown(name)}: ${shown(uri)}${typeof description === 'string' ? ` (${description})` : ''}`]
  if (type !== 'resource' || !isJsonObject(resource)) return []
  if (typeof resource['text'] === 'string') return [`${shown(resource['uri'])}:\n${resource['text']}`]
  return [`[file ${shown(resource['uri'])} ${shown(resource['mimeType'])}, ${sizeOf(resource['blob'])} bytes]`]
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function sizeOf(base64: unknown): number {
  return typeof base64 === 'string' ? Math.floor((base64.length * 3) / 4) : 0
}
