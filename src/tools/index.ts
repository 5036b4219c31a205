export { toolIndex } from './search/tool-index.ts'
export type { FoundTool, SearchedTool, ToolIndex, ToolSearch } from './search/searched-tool.ts'
export { argumentsProblem } from './arguments/arguments-problem.ts'
