import * as shape from './shape.ts'

export const toolSelections = ['off', 'sticky', 'meta', 'auto'] as const
/**
 * Which of a client's tools stand in a request by their definitions. `off`: all of them, as they came. `meta`: the core tools; the model finds
 * the others by `search_tools` and calls them by `execute_tool`. `sticky`: the core tools, and those that fit the first message best; the model finds the rest.
 * `auto`: `meta` or `sticky` where that costs less than it saves, else `off`.
 */
export type ToolSelection = (typeof toolSelections)[number]

/** How a client's tools are selected; `coreTools` of a policy names those that always stand. */
export interface ToolPolicy {
  /** Default: `off`. */
  readonly selection?: ToolSelection
  /**
   * Whether definitions go out for the provider to keep them aside until the model has found them (`defer_loading`). By default where a gateway
   * asks Anthropic itself: what stands before it may refuse them.
   */
  readonly deferred?: boolean
  /** Most tools that stand, those of the core included, unless the core alone has more. Default: 12. */
  readonly maxTools?: number
  /** Most tokens that their definitions take, likewise. Default: 8,000. */
  readonly maxTokens?: number
  /** An agent's own tools, those whose names have no server in them, all stand where there are at most so many. Default: 40. */
  readonly ownTools?: number
}

const { countFrom, flag, object, oneOf, optional } = shape

export const toolPolicyShape = object<ToolPolicy>({
  selection: optional(oneOf(toolSelections)),
  deferred: optional(flag),
  maxTools: optional(countFrom(0)),
  maxTokens: optional(countFrom(0)),
  ownTools: optional(countFrom(0)),
})
