import type { Item } from './item.ts'

/** What a pack is made for. What is private to another step or agent, and tools that are not named, stay out of it. */
export interface PackScope {
  readonly taskId?: string
  readonly stepId?: string
  /** Who works on the step, such as a sub-agent. */
  readonly agent?: string
  /** Names of the tools that may be used; all by default. */
  readonly tools?: readonly string[]
}

/** Whether an item may not stand in a pack of a scope; without a scope, only what is private to none may. */
export function isOutOfScope(item: Pick<Item, 'scope' | 'section' | 'toolName'>, scope: PackScope = {}): boolean {
  if (item.scope !== undefined && item.scope !== scope.stepId && item.scope !== scope.agent) return true
  return item.section === 'tools' && scope.tools !== undefined && !scope.tools.includes(item.toolName ?? '')
}
