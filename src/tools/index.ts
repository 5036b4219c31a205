export { asExecuteCall, readExecuteCall } from './meta/execute-call.ts'
export type { NamedCall } from './meta/execute-call.ts'
export { noSuchTool, schemaAnswer, searchAnswer } from './meta/catalogue-answers.ts'
export type { CatalogueAnswer } from './meta/catalogue-answers.ts'
export {
  executeToolDefinition,
  executeToolName,
  metaToolNames,
  searchToolsDefinition,
  searchToolsName,
  toolSchemaDefinition,
  toolSchemaName,
} from './meta/meta-tools.ts'
export { toolLine } from './meta/tool-line.ts'
export { toolIndex } from './search/tool-index.ts'
export type { FoundTool, SearchedTool, ToolIndex, ToolSearch } from './search/searched-tool.ts'
