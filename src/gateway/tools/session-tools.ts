import { perObjectAndKey } from '../../core/index.ts'
import { timely } from '../../sessions/index.ts'
import type { HostedTool, HostedTools, HostedUse } from '../../sessions/index.ts'
import { offeredSchema } from '../../tools/index.ts'
import type { CatalogueTool } from './catalogue-tool.ts'
import { onBehalfOf, toolAnswer } from './core-tools.ts'
import type { ToolRegistry } from './tool-registry.ts'

export interface SessionToolsOptions {
  readonly stopwatch: () => number
  /** How long the first request of a tenant waits for its tools. */
  readonly stageMs: number
  /** Told what could not be read or counted. */
  readonly failed: (error: unknown) => void
}

interface Known {
  readonly tools: readonly HostedTool[]
  readonly uses: Readonly<Record<string, HostedUse>>
  /** When the registry was asked. */
  readonly atMs: number
}

/** Tenants may put tools of their own at any time, and servers change theirs. */
const freshMs = 5_000
const mostTenants = 200

const nothing: Pick<Known, 'tools' | 'uses'> = { tools: [], uses: {} }

/** The tools of a registry as models find them in sessions. */
export function sessionTools(
  registry: Pick<ToolRegistry, 'core' | 'definitions' | 'execute' | 'offered' | 'usage'>,
  { stopwatch, stageMs, failed }: SessionToolsOptions,
): HostedTools {
  const known = new Map<string, Known>()
  const loading = new Map<string, Promise<void>>()
  const core = new Map(registry.core.map((one) => [one.tool.id, one]))

  const ask = async (tenant: string): Promise<void> => {
    const atMs = stopwatch()
    const asked = await timely(Promise.all([registry.definitions(tenant), registry.usage(tenant)]), stageMs)
    loading.delete(tenant)
    if (asked.kind !== 'done') failed(asked.error)
    const isOffered = ({ id }: CatalogueTool): boolean => core.get(id)?.isOf(tenant) === true
    const before = known.get(tenant) ?? nothing
    const [tools, uses] =
      asked.kind === 'done'
        ? [hostedToolsOf(asked.value[0], isOffered, before.tools), asked.value[1]]
        : [before.tools, before.uses]
    known.delete(tenant)
    known.set(tenant, { tools, uses, atMs })
    const [oldest] = known.keys()
    if (known.size > mostTenants && oldest !== undefined) known.delete(oldest)
  }

  return {
    of: (tenant) => (known.get(tenant) ?? nothing).tools,
    uses: (tenant) => (known.get(tenant) ?? nothing).uses,
    load(tenant) {
      const before = known.get(tenant)
      if (before !== undefined && stopwatch() - before.atMs < freshMs) return undefined
      const under = loading.get(tenant) ?? ask(tenant)
      loading.set(tenant, under)
      return before === undefined ? under : undefined
    },
    found: (tenant, ids) => void registry.offered(tenant, ids).catch(failed),
    async run(call, context) {
      return toolAnswer(await registry.execute(context.scope.tenant, call, onBehalfOf(context)))
    },
  }
}

/** The same list, of the same objects, as long as the tools are the same. */
function hostedToolsOf(
  tools: readonly CatalogueTool[],
  isOffered: (tool: CatalogueTool) => boolean,
  before: readonly HostedTool[],
): readonly HostedTool[] {
  const now = tools.map((tool) => hostedToolOf(tool, isOffered(tool)))
  const isSame = now.length === before.length && now.every((tool, at) => tool === before[at])
  return isSame ? before : now
}

const made = perObjectAndKey<CatalogueTool, HostedTool>()

function hostedToolOf(tool: CatalogueTool, isOffered: boolean): HostedTool {
  return made(tool, isOffered, ({ id, server, calledAs: name, description }) => {
    return { id, server, definition: { name, description, schema: offeredSchema(tool) }, isOffered }
  })
}
