import { PrehendError, invalidInput, isJsonObject } from '../../core/index.ts'
import type { JsonObject, JsonValue } from '../../core/index.ts'
import { readToolEntry, registryEntry, toolId } from '../../tools/index.ts'
import type { HttpBinding, ToolEntry, ToolId } from '../../tools/index.ts'
import type { ToolRecord } from '../../stores/index.ts'
import type { CatalogueTool } from './catalogue-tool.ts'
import { boundedFetch } from './sources/bounded-fetch.ts'
import { callHttp } from './sources/http-call.ts'
import { notExecutable } from './sources/not-executable.ts'
import { ToolFailure } from './sources/tool-failure.ts'
import type { ToolSource } from './sources/tool-source.ts'

/** A tool that a tenant has put, as it is stored. */
export interface OwnTool {
  readonly calledAs: string
  readonly entry: ToolEntry
}

/** Checks what a tenant wants to put. Throws `invalid-input`. */
export function ownTool(id: ToolId, value: unknown, allowedHosts: readonly string[]): ToolEntry {
  const entry = readToolEntry(value, 'body')
  const entered = registryEntry({ ...entry, name: id.name }, { server: id.server, protocol: 'native' })
  if ('refused' in entered) throw invalidInput('body', `is no usable tool: ${entered.refused}`, 'Correct it.')
  const [warning] = entered.tool.warnings
  if (warning !== undefined) throw invalidInput('body.inputSchema', warning, 'Correct the schema, or leave it out.')
  if (entry.http !== undefined && !isAllowed(entry.http, allowedHosts)) {
    const remedy = 'The operator allows hosts by `tools.allowedHosts` of the configuration.'
    throw new PrehendError('forbidden', `Tools may not call ${new URL(entry.http.url).host}. ${remedy}`, { remedy })
  }
  return entry
}

function isAllowed({ url }: HttpBinding, allowedHosts: readonly string[]): boolean {
  const address = URL.parse(url)
  return address !== null && (allowedHosts.includes(address.host) || allowedHosts.includes(address.hostname))
}

/** The tools of a tenant from its records. */
export function ownTools(records: readonly ToolRecord[]): readonly CatalogueTool[] {
  return records.flatMap(({ id, value }): readonly CatalogueTool[] => {
    const own = ownIn(value)
    const [server = '', name = ''] = id.split('::')
    if (own === undefined) return []
    const protocol = own.entry.http ? 'http' : 'native'
    const entered = registryEntry({ ...own.entry, name }, { server, protocol })
    return 'refused' in entered ? [] : [{ ...entered.tool, calledAs: own.calledAs, status: 'ready' }]
  })
}

export function ownValue({ calledAs, entry }: OwnTool): JsonValue {
  return { calledAs, entry: entry as unknown as JsonObject }
}

function ownIn(value: JsonValue): OwnTool | undefined {
  if (!isJsonObject(value) || typeof value['calledAs'] !== 'string' || !isJsonObject(value['entry'])) return undefined
  return value as unknown as OwnTool
}

/** Runs what tenants have put: by requests to the hosts that are allowed, which may be other ones by now. */
export function ownSource(fetcher: typeof fetch, allowedHosts: readonly string[]): ToolSource {
  const bounded = boundedFetch(fetcher)
  return {
    protocol: 'http',
    list: async () => [],
    async call({ tool, arguments: given, signal }) {
      if (tool.http === undefined) throw notExecutable(tool)
      if (!isAllowed(tool.http, allowedHosts)) throw notAllowed(tool)
      return callHttp(bounded, { binding: tool.http, arguments: given, signal })
    },
    close: async () => undefined,
  }
}

function notAllowed(tool: ToolId & { readonly calledAs: string }): ToolFailure {
  return new ToolFailure({
    code: 'not-executable',
    message: `${tool.calledAs} calls a host that the operator does not allow any more (${toolId(tool)}).`,
    retryable: false,
    hint: 'Choose another tool.',
  })
}
