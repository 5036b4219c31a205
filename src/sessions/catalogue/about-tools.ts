import type { ToolDefinition } from '../../core/index.ts'
import { compareCodeUnits } from '../../core/index.ts'

/** The server that a tool is of, as clients write it into its name: `mcp__github__create_issue`, `github__create_issue`, `github.create_issue`. */
export function serverOf(name: string): string | undefined {
  const [, server] = /^(?:mcp__)?([\p{L}\p{N}_-]*?[\p{L}\p{N}-])(?:__|::|[./:])[\p{L}\p{N}]/u.exec(name) ?? []
  return server
}

const mostServers = 20
const mostChars = 400

/** In a few words, the tools that the model has to find: how many each server has, or their names. */
export function aboutTools(
  tools: readonly (Pick<ToolDefinition, 'name'> & { readonly server?: string | undefined })[],
): string {
  const counts = new Map<string, number>()
  const free: string[] = []
  for (const { name, server = serverOf(name) } of tools) {
    if (server === undefined) free.push(name)
    else counts.set(server, (counts.get(server) ?? 0) + 1)
  }
  const servers = [...counts].toSorted(([one], [other]) => compareCodeUnits(one, other))
  const told = [
    ...servers.slice(0, mostServers).map(([server, count]) => `${server} (${count})`),
    ...free.toSorted(compareCodeUnits),
  ]
  const shown = told.filter((_, at) => told.slice(0, at + 1).join(', ').length <= mostChars)
  const others = shown.length < told.length || servers.length > mostServers ? ', …' : ''
  return `There are ${tools.length}: ${shown.join(', ')}${others}.`
}
