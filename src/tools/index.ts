export { asExecuteCall, readExecuteCall } from './meta/execute-call.ts'
export { noSuchTool, noToolNamed, schemaAnswer, searchAnswer, searchedWords } from './meta/catalogue-answers.ts'
export {
  executeToolDefinition,
  executeToolName,
  metaToolNames,
  searchToolsDefinition,
  searchToolsName,
  toolSchemaDefinition,
  usualSearchLimit,
} from './meta/meta-tools.ts'
export { argumentsProblem } from './arguments/arguments-problem.ts'
export { typedClient } from './client/typed-client.ts'
export { calledAs } from './registry/called-as.ts'
export { definitionText, offeredSchema, registryEntry } from './registry/registry-entry.ts'
export { toolMethods, toolProtocols, toolTimeouts } from './registry/registry-tool.ts'
export type { HttpBinding, RegistryTool, SourcedTool, ToolEntry, ToolProtocol } from './registry/registry-tool.ts'
export { ownServer, readToolId, toolId } from './registry/tool-id.ts'
export type { ToolId } from './registry/tool-id.ts'
export { toolLine } from './registry/tool-line.ts'
export { readToolEntry, readToolList, toolEntryShape } from './registry/tool-shape.ts'
export { catalogueIndex } from './search/catalogue-index.ts'
export { toolIndex } from './search/tool-index.ts'
export { embeddedQuery, embeddedTool } from './search/embedded-text.ts'
export type { QueryMeaning, ToolMeanings } from './search/meanings.ts'
export type { SearchedTool, ToolIndex } from './search/searched-tool.ts'
export { likelyTools } from './selection/likely-tools.ts'
export { selectTools } from './selection/select-tools.ts'
export { isHabitual, nothingLearnt, qualityBy } from './quality/learnt-tools.ts'
export type { LearntTool, LearntTools } from './quality/learnt-tools.ts'
export { withQuery } from './quality/past-queries.ts'
export { afterRequest, qualityOf } from './quality/tool-use.ts'
export type { ToolUse } from './quality/tool-use.ts'
export { toolWaste } from './quality/waste.ts'
