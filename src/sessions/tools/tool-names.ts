import type { HiddenTool } from './hidden-tool.ts'

/** Whether tools have these names, in this order. */
export function hasNames(tools: readonly HiddenTool[], names: readonly string[]): boolean {
  return tools.length === names.length && tools.every(({ definition }, index) => definition.name === names[index])
}

export interface NamesChanged {
  /** Those that a request offers. */
  readonly tools: readonly HiddenTool[]
  /** Names of those that the session has no more. */
  readonly gone: readonly string[]
}

/** The names of the tools that a session has had, after a request of it. The same list where nothing has changed. */
export function namesAfter(names: readonly string[], { tools, gone }: NamesChanged): readonly string[] {
  const stay = gone.length === 0 ? names : names.filter((name) => !gone.includes(name))
  const fresh = tools.map(({ definition }) => definition.name).filter((name) => !stay.includes(name))
  return fresh.length === 0 ? stay : [...stay, ...fresh]
}
