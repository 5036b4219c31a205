import { perObject } from '../../core/index.ts'
import type { ToolUsage } from '../../stores/index.ts'
import { qualityOf, toolIndex, usualSearchLimit } from '../../tools/index.ts'
import type { QueryMeaning, ToolIndex } from '../../tools/index.ts'
import type { CatalogueTool } from './catalogue-tool.ts'
import type { ToolCatalogue } from './merged-catalogues.ts'
import type { MissingTools } from './take-listed.ts'

export interface ToolSearchAsked {
  readonly query: string
  /** Default: 5. */
  readonly limit?: number
  /** Gives the query and tools as vectors, where it can; words alone decide by default. */
  readonly meaningOf?: (query: string, tools: readonly CatalogueTool[]) => Promise<QueryMeaning | undefined>
}

export interface FoundTools {
  /** The best first; tools that cannot be called are not found. */
  readonly tools: readonly CatalogueTool[]
  readonly missing: readonly MissingTools[]
}

export async function findTools(
  catalogue: ToolCatalogue,
  usage: Readonly<Record<string, ToolUsage>>,
  { query, limit = usualSearchLimit, meaningOf }: ToolSearchAsked,
): Promise<FoundTools> {
  const byId = new Map(catalogue.tools.map((tool) => [tool.id, tool]))
  const meaning = await meaningOf?.(query, readyOf(catalogue))
  const quality = (id: string): number => registryQuality(usage[id])
  const found = indexOf(catalogue).search(query, { ...meaning, limit, quality })
  return { tools: found.flatMap(({ id }) => byId.get(id) ?? []), missing: catalogue.missing }
}

function readyOf({ tools }: ToolCatalogue): readonly CatalogueTool[] {
  return tools.filter(({ status }) => status === 'ready')
}

const indexOf = perObject((catalogue: ToolCatalogue): ToolIndex => {
  return toolIndex(
    readyOf(catalogue).map(({ id, calledAs: name, description, inputSchema: schema, categories, examples }) => {
      return { id, name, description, schema, categories, examples }
    }),
  )
})

/** The factor by which searches rank a tool, from 0.5 to 1.5. A call without an offer says nothing of what the tool is worth where it is offered. */
export function registryQuality(usage: Pick<ToolUsage, 'offered' | 'called'> | undefined): number {
  if (usage === undefined) return 1
  return qualityOf({ offered: usage.offered, called: Math.min(usage.called, usage.offered), failed: 0 })
}
