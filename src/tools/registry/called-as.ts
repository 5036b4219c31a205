import { compareCodeUnits } from '../../core/index.ts'
import type { ToolId } from './tool-id.ts'
import { toolId } from './tool-id.ts'

/** What providers take as the name of a tool. */
const longestName = 64

/** Names of tools that the gateway itself offers: no tool of a source may stand in for them. */
const reserved: ReadonlySet<string> = new Set([
  'rehydrate',
  'search_history',
  'search_tools',
  'get_tool_schema',
  'execute_tool',
])

/**
 * The names that models call tools by. A name that was given before stays with its tool, also while its server is away: no other
 * server ever gets it. Of tools that come in with one name, all have their server before it.
 */
export function calledAs(
  tools: readonly ToolId[],
  given: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const names = new Map(given)
  const taken = new Set([...reserved, ...given.values()])
  const fresh = tools.filter((tool) => !given.has(toolId(tool)))
  const sorted = fresh.toSorted((one, other) => compareCodeUnits(toolId(one), toolId(other)))
  const shares = new Map<string, number>()
  for (const { name } of sorted) shares.set(plain(name), (shares.get(plain(name)) ?? 0) + 1)
  for (const tool of sorted) {
    const bare = plain(tool.name).slice(0, longestName)
    const isAlone = shares.get(plain(tool.name)) === 1 && !taken.has(bare) && bare.length === tool.name.length
    const name = isAlone ? bare : free(`${plain(tool.server)}__${plain(tool.name)}`, taken)
    taken.add(name)
    names.set(toolId(tool), name)
  }
  return names
}

function plain(name: string): string {
  return name.replaceAll(/[^\w-]/g, '_')
}

/** The name, or the first one with a number behind it that nothing has. */
function free(name: string, taken: ReadonlySet<string>): string {
  for (let at = 1; ; at += 1) {
    const end = at === 1 ? '' : `_${at}`
    const one = `${name.slice(0, longestName - end.length)}${end}`
    if (!taken.has(one)) return one
  }
}
