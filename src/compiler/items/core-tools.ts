import type { Item, Policy } from '../../core/index.ts'

/** Names of the tools whose definitions are shortened last: those that a policy names, and those that the conversation has called. */
export function coreTools(
  items: Iterable<Pick<Item, 'kind' | 'toolName'>>,
  named: Policy['coreTools'],
): ReadonlySet<string> {
  const core = new Set(named)
  for (const { kind, toolName } of items) if (kind === 'tool-call' && toolName !== undefined) core.add(toolName)
  return core
}

export function isCoreTool(core: ReadonlySet<string>, { toolName }: Pick<Item, 'toolName'>): boolean {
  return toolName !== undefined && core.has(toolName)
}
