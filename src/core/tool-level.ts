/** When a model gets to see a tool: always (`core`), when it has looked for it (`protocol`), or only by name, called from code (`complex`). */
export const toolLevels = ['core', 'protocol', 'complex'] as const
export type ToolLevel = (typeof toolLevels)[number]
