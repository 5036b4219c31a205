import type { JsonObject, ToolDefinition } from '../../core/index.ts'
import { executeToolDefinition, searchToolsDefinition, toolSchemaDefinition } from '../../tools/index.ts'

interface OfferedTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject & { readonly type: 'object' }
  readonly annotations?: { readonly readOnlyHint: true }
}

const reads = { annotations: { readOnlyHint: true } } as const

/** The four tools, by the schemas that agents know of such tools. The list never changes, so that no prompt cache is lost over it. */
export const offeredTools: readonly OfferedTool[] = [
  { ...offered(searchToolsDefinition('')), ...reads },
  { ...offered(toolSchemaDefinition), ...reads },
  offered(executeToolDefinition),
  {
    name: 'rehydrate',
    description: 'Shows text that was left out of this session.',
    inputSchema: {
      type: 'object',
      properties: {
        handle: { type: 'string', description: 'As it stands in a [marker]' },
        about: { type: 'string', description: 'What it is about, where no handle is known' },
        lines: { type: 'string', description: 'Part of it: "10-40"' },
        pattern: { type: 'string', description: 'Words of the lines that are wanted' },
      },
    },
    ...reads,
  },
]

function offered({ name, description, schema }: ToolDefinition): OfferedTool {
  return { name, description, inputSchema: { ...(schema as JsonObject), type: 'object' } }
}
