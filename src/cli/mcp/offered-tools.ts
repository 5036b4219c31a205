/** The four tools, by the schemas that agents know of such tools. The list never changes, so that no prompt cache is lost over it. */
export const offeredTools = [
  {
    name: 'search_tools',
    description: 'Finds tools for a task, one line each. Describe the task in words.',
    inputSchema: {
      type: 'object' as const,
      properties: {
        query: { type: 'string', description: 'What a tool is wanted for' },
        limit: { type: 'integer', minimum: 1, maximum: 50, default: 5 },
      },
      required: ['query'],
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'get_tool_schema',
    description: 'Shows what a tool does and the JSON Schema of its parameters.',
    inputSchema: {
      type: 'object' as const,
      properties: { toolName: { type: 'string', description: 'As search_tools names it' } },
      required: ['toolName'],
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'execute_tool',
    description: 'Calls a tool that search_tools has found.',
    inputSchema: {
      type: 'object' as const,
      properties: {
        toolName: { type: 'string', description: 'As search_tools names it' },
        params: { type: 'object', description: 'Its parameters, by its schema' },
      },
      required: ['toolName', 'params'],
    },
  },
  {
    name: 'rehydrate',
    description: 'Shows text that was left out of this session.',
    inputSchema: {
      type: 'object' as const,
      properties: {
        handle: { type: 'string', description: 'As it stands in a [marker]' },
        about: { type: 'string', description: 'What it is about, where no handle is known' },
        lines: { type: 'string', description: 'Part of it: "10-40"' },
        pattern: { type: 'string', description: 'Words of the lines that are wanted' },
      },
    },
    annotations: { readOnlyHint: true },
  },
]
