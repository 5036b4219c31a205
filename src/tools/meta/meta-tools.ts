import type { ToolDefinition } from '../../core/index.ts'

export const searchToolsName = 'search_tools'
export const toolSchemaName = 'get_tool_schema'
export const executeToolName = 'execute_tool'

/** How many tools a search names, where nobody says how many. */
export const usualSearchLimit = 5

/** The tool that finds others; `about` says in a few words which there are. */
export function searchToolsDefinition(about: string): ToolDefinition {
  return {
    name: searchToolsName,
    description: `Search available tools by capability description. ${about}`.trim(),
    schema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What you want to do' },
        limit: { type: 'number', description: 'Max results', default: usualSearchLimit },
      },
      required: ['query'],
    },
  }
}

export const toolSchemaDefinition: ToolDefinition = {
  name: toolSchemaName,
  description: 'Get the full parameter schema for a specific tool.',
  schema: { type: 'object', properties: { toolName: { type: 'string' } }, required: ['toolName'] },
}

export const executeToolDefinition: ToolDefinition = {
  name: executeToolName,
  description: 'Execute a tool with the given parameters.',
  schema: {
    type: 'object',
    properties: { toolName: { type: 'string' }, params: { type: 'object' } },
    required: ['toolName', 'params'],
  },
}

/** Names that a catalogue takes: a client that has a tool of one of them gets no catalogue. */
export const metaToolNames: ReadonlySet<string> = new Set([searchToolsName, toolSchemaName, executeToolName])
