import { fileSource } from './sources/file-source.ts'
import { mcpSource } from './sources/mcp-source.ts'
import { openApiSource } from './sources/openapi-source.ts'
import type { SourceWatch, ToolSource } from './sources/tool-source.ts'
import { kindOf } from './tool-settings.ts'
import type { ToolSourceSettings } from './tool-settings.ts'

export interface OpeningSource {
  readonly server: string
  readonly settings: ToolSourceSettings
  readonly connectMs: number
  readonly fetcher: typeof fetch
}

/** What the gateway calls itself to MCP servers. */
const clientVersion = '1.0.0'

/** A source by its settings. Nothing is begun before it is asked. */
export function openSource(opening: OpeningSource, watch: SourceWatch): ToolSource {
  const { server, settings, connectMs, fetcher } = opening
  const { file, command, args, env, cwd, url, openapi, baseUrl, headers } = settings
  if (file !== undefined) return fileSource(file, fetcher)
  const sent = headers && { headers }
  if (openapi !== undefined)
    return openApiSource({ server, document: openapi, ...(baseUrl !== undefined && { baseUrl }), ...sent, fetcher })
  const program = {
    command: command ?? '',
    ...(args && { args }),
    ...(env && { env }),
    ...(cwd !== undefined && { cwd }),
  }
  const place = url === undefined ? program : { url, ...sent }
  return mcpSource({ server, place, connectMs, version: clientVersion, fetcher }, watch)
}

/** Whether the definitions of a source are the operator's own words, which are neither scanned nor held back. */
export function isOwnWords(settings: ToolSourceSettings): boolean {
  return kindOf(settings) === 'file'
}
