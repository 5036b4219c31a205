import type { Item, ToolDefinition } from '../../core/index.ts'
import { searchToolsName } from '../../tools/index.ts'
import type { TraceMessage } from '../trace.ts'

/** How a model that is to call a tool looks for it, when it does not see it: in its own words, then by its purpose, then by its name. */
export function searchesFor(
  tool: Pick<ToolDefinition, 'name' | 'description'>,
  answer: TraceMessage,
  query: string | undefined,
): readonly string[] {
  const said = query ?? answer.items.flatMap(({ kind, text }) => (kind === 'text' ? [text] : [])).join(' ')
  const purpose = tool.description.split(/(?<=[.!?])\s|\n/, 1)[0] ?? ''
  const words = tool.name.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
  return [said, purpose, words].filter((each) => each.trim() !== '')
}

/** A call of a search, as the model writes it. */
export function searchCall(query: string, number: number): { id: string; name: string; arguments: string } {
  return { id: `toolu_search${number}`, name: searchToolsName, arguments: JSON.stringify({ query }) }
}

export function callsIn(answer: TraceMessage): readonly Item[] {
  return answer.items.filter(({ kind, toolName }) => kind === 'tool-call' && toolName !== undefined)
}
