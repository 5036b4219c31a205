import type { ToolDefinition } from '../../core/index.ts'
import type { LearntTools } from '../quality/learnt-tools.ts'
import type { ToolIndex } from './searched-tool.ts'
import { toolIndex } from './tool-index.ts'

interface Known {
  readonly tools: readonly WeakRef<ToolDefinition>[]
  readonly past: WeakRef<LearntTools['past']>
  readonly index: ToolIndex
}

/** An index takes some hundred times what a definition takes, and 10 to 40 ms to make for 120 tools. */
const mostKnown = 24

const known: Known[] = []

/**
 * A client's tools by their names, to be searched. The last few indexes are remembered by the identity of the definitions, which stay the same objects
 * from request to request, and of the past queries. Neither is held alive by it.
 */
export function catalogueIndex(tools: readonly ToolDefinition[], { past }: Pick<LearntTools, 'past'>): ToolIndex {
  const at = known.findIndex((one) => one.past.deref() === past && isOf(one, tools))
  const [found] = at < 0 ? [] : known.splice(at, 1)
  const now = found ?? {
    tools: tools.map((tool) => new WeakRef(tool)),
    past: new WeakRef(past),
    index: made(tools, past),
  }
  known.unshift(now)
  known.splice(mostKnown)
  return now.index
}

function isOf({ tools: own }: Known, tools: readonly ToolDefinition[]): boolean {
  return own.length === tools.length && own.every((tool, at) => tool.deref() === tools[at])
}

function made(tools: readonly ToolDefinition[], past: LearntTools['past']): ToolIndex {
  return toolIndex(tools.map((tool) => ({ ...tool, id: tool.name, pastQueries: past.get(tool.name) ?? [] })))
}
