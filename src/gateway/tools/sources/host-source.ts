import { shape } from '../../../core/index.ts'
import type { JsonObject, JsonValue } from '../../../core/index.ts'
import type { SourcedTool } from '../../../tools/index.ts'
import type { SourceResult, ToolCaller, ToolSource } from './tool-source.ts'

/** What a function of the host is told of a call. */
export interface HostToolContext extends ToolCaller {
  readonly signal: AbortSignal
}

/** A tool that a function of the host runs. */
export interface HostTool extends Omit<SourcedTool, 'http'> {
  /** Gives a text, or a value that is sent as JSON. What it throws is the error of the call. */
  run(given: JsonObject, context: HostToolContext): Promise<JsonValue> | JsonValue
}

/** The server that functions of the host go under. */
export const hostServer = 'host'

/** Functions of the host as a source. */
export function hostSource(tools: readonly HostTool[]): ToolSource {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  for (const [at, { run }] of tools.entries())
    if (typeof run !== 'function') shape.check(shape.name, undefined, `tools[${at}].run`)
  return {
    protocol: 'local',
    list: async () => tools.map(({ run: _run, ...tool }) => tool),
    async call({ tool, arguments: given, caller, signal }): Promise<SourceResult> {
      const value = await byName.get(tool.name)?.run(given, { ...caller, signal })
      if (typeof value === 'string') return { text: value }
      return { text: JSON.stringify(value ?? null), structured: value ?? null }
    },
    close: async () => undefined,
  }
}
