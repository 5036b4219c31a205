import type { RegistryTool } from '../../tools/index.ts'

/** What a caller may do. */
export interface ToolPermission {
  /** Scopes that it has; a tool needs all of its own. All scopes where absent. */
  readonly scopes?: readonly string[] | undefined
  /** Tools that its step allows, by id or name, `*` for any characters. All tools where absent. */
  readonly only?: readonly string[] | undefined
}

/** Why a call is not permitted, as a sentence; undefined where it is. The tools of a run never change for it: a model is told. */
export function refusalOf(tool: RegistryTool, { scopes, only }: ToolPermission): string | undefined {
  const missing = scopes === undefined ? [] : tool.scopes.filter((scope) => !scopes.includes(scope))
  if (missing.length > 0)
    return `${tool.calledAs} needs the ${missing.length === 1 ? 'scope' : 'scopes'} ${missing.join(', ')}, which this step does not have.`
  if (only === undefined || only.some((pattern) => fits(pattern, tool))) return undefined
  return `${tool.calledAs} is not among the tools of this step.`
}

function fits(pattern: string, { id, calledAs }: RegistryTool): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`))
  const expression = new RegExp(`^${parts.join('[^]*')}$`)
  return expression.test(id) || expression.test(calledAs)
}
