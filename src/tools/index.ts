export { toolIndex } from './search/tool-index.ts'
export type { ToolMeanings } from './search/meanings.ts'
export type {
  FoundTool,
  SearchedTool,
  ToolIndex,
  ToolIndexOptions,
  ToolSearch,
  ToolSearchPart,
} from './search/searched-tool.ts'
export { likelyTools } from './selection/likely-tools.ts'
export type { LikelyTools } from './selection/likely-tools.ts'
export { selectTools } from './selection/select-tools.ts'
export type { ChosenTool, SelectedTools, ToolChoice } from './selection/select-tools.ts'
export { afterRequest, qualityOf, unused } from './quality/tool-use.ts'
export type { ToolCallOutcome, ToolOutcome, ToolUse } from './quality/tool-use.ts'
export { toolWaste } from './quality/waste.ts'
export type { ToolWaste } from './quality/waste.ts'
