import type { ToolUsage } from '../../stores/index.ts'
import { qualityOf, toolIndex } from '../../tools/index.ts'
import type { ToolIndex } from '../../tools/index.ts'
import type { CatalogueTool } from './catalogue-tool.ts'
import type { ToolCatalogue } from './merged-catalogues.ts'
import type { MissingTools } from './take-listed.ts'

export interface ToolSearchAsked {
  readonly query: string
  /** Default: 5. */
  readonly limit?: number
}

export interface FoundTools {
  /** The best first; tools that cannot be called are not found. */
  readonly tools: readonly CatalogueTool[]
  readonly missing: readonly MissingTools[]
}

const usualLimit = 5
const indexes = new WeakMap<ToolCatalogue, ToolIndex>()

export function findTools(
  catalogue: ToolCatalogue,
  usage: Readonly<Record<string, ToolUsage>>,
  { query, limit = usualLimit }: ToolSearchAsked,
): FoundTools {
  const byId = new Map(catalogue.tools.map((tool) => [tool.id, tool]))
  const index = indexes.get(catalogue) ?? indexOf(catalogue)
  indexes.set(catalogue, index)
  const found = index.search(query, { limit, quality: (id) => registryQuality(usage[id]) })
  return { tools: found.flatMap(({ id }) => byId.get(id) ?? []), missing: catalogue.missing }
}

function indexOf({ tools }: ToolCatalogue): ToolIndex {
  const ready = tools.filter(({ status }) => status === 'ready')
  return toolIndex(
    ready.map(({ id, calledAs: name, description, inputSchema: schema, categories, examples }) => {
      return { id, name, description, schema, categories, examples }
    }),
  )
}

/** The factor by which searches rank a tool, from 0.5 to 1.5. A call without an offer says nothing of what the tool is worth where it is offered. */
export function registryQuality(usage: Pick<ToolUsage, 'offered' | 'called'> | undefined): number {
  if (usage === undefined) return 1
  return qualityOf({ offered: usage.offered, called: Math.min(usage.called, usage.offered), failed: 0 })
}
