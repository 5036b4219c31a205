import type { SearchedTool } from './searched-tool.ts'

/** How much of the mean of a server's best three its other hits gain. */
const liftShare = 0.1
const bestTools = 3

/** Places of the tools of each server. */
export function serverGroups(tools: readonly SearchedTool[]): readonly (readonly number[])[] {
  const groups = new Map<string, number[]>()
  for (const [at, { server }] of tools.entries()) {
    if (server === undefined) continue
    const known = groups.get(server)
    if (known === undefined) groups.set(server, [at])
    else known.push(at)
  }
  return [...groups.values()]
}

/** A server of which several tools fit is what the query is about. What nothing is found of stays at 0. */
export function liftedByServer(scores: Float64Array, groups: readonly (readonly number[])[]): Float64Array {
  const lifted = Float64Array.from(scores)
  for (const group of groups) {
    const own = group.filter((at) => (scores[at] ?? 0) > 0)
    if (own.length < 2) continue
    const best = own.map((at) => scores[at] ?? 0).toSorted((one, other) => other - one)
    const mean = best.slice(0, bestTools).reduce((sum, score) => sum + score, 0) / bestTools
    for (const at of own) lifted[at] = (lifted[at] ?? 0) + liftShare * mean
  }
  return lifted
}
