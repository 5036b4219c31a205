import { PrehendError, invalidInput } from '../../core/index.ts'
import type { ToolUsage } from '../../stores/index.ts'
import { calledAs, readToolId, toolId } from '../../tools/index.ts'
import type { CatalogueTool } from './catalogue-tool.ts'
import { findTools } from './find-tools.ts'
import type { FoundTools, ToolSearchAsked } from './find-tools.ts'
import { mergedCatalogues } from './merged-catalogues.ts'
import type { ToolCatalogue } from './merged-catalogues.ts'
import { openCatalogues } from './open-catalogues.ts'
import type { Catalogues, CoreTool } from './open-catalogues.ts'
import { ownTool, ownValue } from './own-tools.ts'
import { registryCalls } from './registry-calls.ts'
import { changeTools, writeTools } from './registry-parts.ts'
import type { ChangedBy, RegistryParts } from './registry-parts.ts'
import type { RegistryAnswer, RegistryCall, RegistryCallContext } from './tool-call.ts'

/** The tools of a gateway, by tenant. */
export interface ToolRegistry {
  /** Waits for sources that nothing is known of, for as long as they may take; lists others again without waiting. */
  catalogue(tenant: string): Promise<ToolCatalogue>
  /** Those that may be shown to a model as schemas: ready, and not of the level `complex`. */
  definitions(tenant: string): Promise<readonly CatalogueTool[]>
  /** The best first. */
  search(tenant: string, asked: ToolSearchAsked): Promise<FoundTools>
  /** By id, or by the name that models call it by. */
  get(tenant: string, tool: string): Promise<CatalogueTool | undefined>
  /** Never rejects for what a tool or its server does. */
  execute(tenant: string, call: RegistryCall, context?: RegistryCallContext): Promise<RegistryAnswer>
  /** Puts a tool of the tenant's own. Rejects with `invalid-input`, `forbidden` or `conflict`. */
  put(tenant: string, asked: PutTool): Promise<CatalogueTool>
  /** Removes a tool of the tenant's own; of a source, forgets its accepted definition. Rejects with `not-found`. */
  remove(tenant: string, asked: RemoveTool): Promise<'removed' | 'forgotten'>
  /** Whether a source of the configuration has it. */
  isOfSource(id: string): boolean
  usage(tenant: string): Promise<Readonly<Record<string, ToolUsage>>>
  /** Counts that a request offered tools. */
  offered(tenant: string, ids: readonly string[]): Promise<void>
  /** Core tools as they were when the registry was opened: what stands in the prefix of prompts never changes while it is open. */
  readonly core: readonly CoreTool[]
  close(): Promise<void>
}

export interface PutTool {
  /** `server::name`, or a name alone. */
  readonly id: string
  readonly entry: unknown
  readonly by: ChangedBy
}

export type RemoveTool = Omit<PutTool, 'entry'>

/** Opens the registry. What sources had before is remembered in the store, so that only new sources with core tools are waited for. */
export async function openToolRegistry(parts: RegistryParts): Promise<ToolRegistry> {
  const sources = await openCatalogues(parts)
  const { store } = parts
  const merging = mergedCatalogues()
  const catalogue = async (tenant: string): Promise<ToolCatalogue> => {
    const [own, ofSources] = await Promise.all([store.read('tools').list(tenant, 'own'), sources.of(tenant)])
    return merging(tenant, own, ofSources)
  }
  const calls = registryCalls(parts, sources)
  return {
    catalogue,
    definitions: async (tenant) =>
      (await catalogue(tenant)).tools.filter(({ status, level }) => status === 'ready' && level !== 'complex'),
    search: async (tenant, asked) => findTools(await catalogue(tenant), await store.read('tools').usage(tenant), asked),
    get: async (tenant, tool) =>
      (await catalogue(tenant)).tools.find(({ id, calledAs: name }) => id === tool || name === tool),
    execute: async (tenant, call, context = {}) => calls(tenant, (await catalogue(tenant)).tools, { call, context }),
    ...ownChanges(parts, sources, catalogue),
    usage: (tenant) => store.read('tools').usage(tenant),
    offered: (tenant, ids) => writeTools(parts, tenant, { offered: ids }),
    core: sources.core,
    close: () => sources.close(),
  }
}

function ownChanges(
  parts: RegistryParts,
  sources: Catalogues,
  catalogue: ToolRegistry['catalogue'],
): Pick<ToolRegistry, 'put' | 'remove' | 'isOfSource'> {
  const { store, settings } = parts
  return {
    isOfSource: (id) => sources.has(readToolId(id).server),
    async put(tenant, { id: text, entry: value, by }) {
      const id = readToolId(text)
      if (sources.has(id.server))
        throw invalidInput('id', `${id.server} is the name of a source`, 'Choose another server name, such as own.')
      const entry = ownTool(id, value, settings.allowedHosts)
      const { tools } = await catalogue(tenant)
      if (tools.length >= settings.mostTools && !tools.some((tool) => tool.id === toolId(id)))
        throw invalidInput('id', `is one tool too many: ${settings.mostTools} are allowed`, 'Remove a tool first.')
      const given = new Map(tools.map((tool) => [tool.id, tool.calledAs]))
      const own = { calledAs: calledAs([id], given).get(toolId(id)) ?? id.name, entry }
      const write = { put: toolId(id), kind: 'own', value: ownValue(own) } as const
      await changeTools(parts, tenant, { write, action: 'tool.put', target: toolId(id), by })
      const put = (await catalogue(tenant)).tools.find((tool) => tool.id === toolId(id))
      if (put === undefined) throw noSuchTool()
      return put
    },
    async remove(tenant, { id: text, by }) {
      const id = readToolId(text)
      const target = toolId(id)
      if (sources.has(id.server)) {
        if (!(await sources.forget(tenant, id))) throw noSuchTool()
        await changeTools(parts, tenant, { action: 'tool.forget', target, by })
        return 'forgotten'
      }
      if ((await store.read('tools').get(tenant, target))?.kind !== 'own') throw noSuchTool()
      await changeTools(parts, tenant, { write: { drop: target }, action: 'tool.remove', target, by })
      return 'removed'
    },
  }
}

export function noSuchTool(): PrehendError<'not-found'> {
  const remedy = 'List tools with GET /v1/tools or prehend tools list.'
  return new PrehendError('not-found', `There is no such tool. ${remedy}`, { what: 'tool', remedy })
}
