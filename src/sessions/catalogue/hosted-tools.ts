import { perObjectAndKey } from '../../core/index.ts'
import type { ToolDefinition, WireExchange } from '../../core/index.ts'
import { executeToolName, readExecuteCall } from '../../tools/index.ts'
import type { LearntTool, LearntTools } from '../../tools/index.ts'
import type { CallContext } from '../call-context.ts'

/** A tool that models find and that the host runs. A value; the same object as long as it is the same tool. */
export interface HostedTool {
  readonly id: string
  /** Where the host has it from. */
  readonly server: string
  readonly definition: ToolDefinition
  /** Whether sessions are offered it by name. It is found only where the client has a tool of that name. */
  readonly isOffered?: boolean
}

/** What a tool of the host has answered, in words that a model can act on. */
export interface HostedAnswer {
  readonly text: string
  readonly found: boolean
  readonly isError?: boolean
}

/** How often a tool was shown to a model, and called. */
export interface HostedUse {
  readonly offered: number
  readonly called: number
}

/** Tools of a host that models of its tenants may find. */
export interface HostedTools {
  /** Those of a tenant, as far as this thread knows them; the same list as long as they are the same. */
  of(tenant: string): readonly HostedTool[]
  /** How models have used them, by id. */
  uses(tenant: string): Readonly<Record<string, HostedUse>>
  /** Asks for both, in the background where some are known. Gives a promise where it has to be waited for; that never rejects. */
  load(tenant: string): Promise<void> | undefined
  /** Counts that a search has shown tools. Nobody waits for it. */
  found(tenant: string, ids: readonly string[]): void
  /** Runs a tool, by its id. Bounds its time by itself. */
  run(call: { readonly tool: string; readonly arguments: string }, context: CallContext): Promise<HostedAnswer>
}

/** What providers take as the name of a tool. */
const longestName = 64

/** The tools of the host that are found beside those of a client: the client's keep their names, and the host's have their server before them. */
export function besideClient(
  hosted: readonly HostedTool[],
  { conversation: { tools, textTools = [] } }: WireExchange,
): readonly HostedTool[] {
  const taken = new Set([...tools, ...textTools].map(({ name }) => name))
  const own = new Set(hosted.map(({ definition }) => definition.name))
  return hosted.flatMap((tool) => {
    const { definition, server, isOffered } = tool
    if (!taken.has(definition.name)) return isOffered === true ? [] : [tool]
    const name = freeName(
      `${server}__${definition.name}`.replaceAll(/[^\w-]/g, '_'),
      (one) => taken.has(one) || own.has(one),
    )
    return [named(tool, name)]
  })
}

function freeName(name: string, isTaken: (name: string) => boolean): string {
  for (let at = 1; ; at += 1) {
    const end = at === 1 ? '' : `_${at}`
    const one = `${name.slice(0, longestName - end.length)}${end}`
    if (!isTaken(one)) return one
  }
}

/** Searches remember an index by the identity of definitions. */
const renamed = perObjectAndKey<HostedTool, HostedTool>()

function named(tool: HostedTool, name: string): HostedTool {
  return renamed(tool, name, () => ({ ...tool, definition: { ...tool.definition, name } }))
}

/** The tool of the host that a call of `execute_tool` calls; undefined where it calls another one, or none. */
export function hostedToolOf(
  { name, arguments: json }: { readonly name: string; readonly arguments: string },
  hosted: readonly HostedTool[],
): HostedTool | undefined {
  const called = name === executeToolName ? readExecuteCall(json)?.name : undefined
  return hosted.find(({ id, definition }) => definition.name === called || id === called)
}

/** The tools that a search finds: those of the client that a request leaves out, and those of the host. */
export function toFind({
  unlisted,
  hosted,
}: {
  readonly unlisted: readonly ToolDefinition[]
  readonly hosted: readonly HostedTool[]
}): readonly ToolDefinition[] {
  return [...unlisted, ...hosted.map(({ definition }) => definition)]
}

/** What is learnt of a client's tools, and of the host's by the names that these have beside them. A call without an offer says nothing. */
export function withHostedUses(
  learnt: LearntTools,
  hosted: readonly HostedTool[],
  uses: Readonly<Record<string, HostedUse>>,
): LearntTools {
  const own = hosted.flatMap(({ id, definition: { name } }): readonly (readonly [string, LearntTool])[] => {
    const use = uses[id]
    if (use === undefined) return []
    const called = Math.min(use.called, use.offered)
    return [[name, { offered: use.offered, called, failed: 0, sessions: 0, calledIn: 0, queries: [] }]]
  })
  return own.length === 0 ? learnt : { ...learnt, uses: new Map([...learnt.uses, ...own]) }
}
