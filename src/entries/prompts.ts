export { assemblePrompt, prefixLayers, systemBlocks, toolLevels } from '../compiler/index.ts'
export type {
  AssembledPrompt,
  LayeredTool,
  PrefixLayer,
  PromptLayer,
  PromptParts,
  TenantPrompt,
  ToolLevel,
} from '../compiler/index.ts'
