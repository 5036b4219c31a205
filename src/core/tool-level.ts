/** When a model gets to see a tool: always, when it has asked for its protocol, or only by name. */
export const toolLevels = ['core', 'protocol', 'complex'] as const
export type ToolLevel = (typeof toolLevels)[number]
