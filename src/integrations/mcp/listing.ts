import type { JsonValue, ToolDefinition } from '../../core/index.ts'
import type { McpTool } from './types.ts'

/** The tools of a `tools/list` as `tool` makes items of them, and as a request has them. */
export function mcpTools({ tools }: { readonly tools: readonly McpTool[] }): readonly ToolDefinition[] {
  return tools.map(({ name, description = '', inputSchema }) => {
    return { name, description, schema: inputSchema as JsonValue }
  })
}
