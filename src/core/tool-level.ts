/** When a model gets to see a tool: always (`core`), when it has looked for it (`protocol`), or only by name, called from code (`complex`). */
export const toolLevels = ['core', 'protocol', 'complex'] as const
/** When a model sees a tool: always (`core`), once it has looked for it (`protocol`), or only by name, called from code (`complex`). */
export type ToolLevel = (typeof toolLevels)[number]
