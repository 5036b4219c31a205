export { assemblePrompt, prefixLayers, systemBlocks } from '../compiler/index.ts'
export type {
  AssembledPrompt,
  LayeredTool,
  PrefixLayer,
  PromptLayer,
  PromptParts,
  TenantPrompt,
} from '../compiler/index.ts'
export { toolLevels } from '../core/index.ts'
export type { ToolLevel } from '../core/index.ts'
