import type { CompileInput, Conversation, Ledger, Policy } from '../core/index.ts'
import { cachePricesOf } from '../tokens/index.ts'
import type { ModelInfo } from '../tokens/index.ts'
import { overheadTokens } from './overhead-tokens.ts'
import type { HiddenTool } from './tools/hidden-tool.ts'

export interface InputOptions {
  readonly conversation: Conversation
  readonly info: ModelInfo
  readonly policy: Policy
  /** Our own tools, and of them those that the request offers; without one nothing may be shown that must be asked for. */
  readonly known: readonly HiddenTool[]
  readonly tools: readonly HiddenTool[]
  /** Instead of the model's own window. */
  readonly windowTokens?: number
  readonly handleKey?: string
  readonly nowMs?: number
  readonly ledger?: Ledger | undefined
}

/** The one way from a conversation to what is compiled, so that the same body counts and compiles the same everywhere. */
export function compileInput(options: InputOptions): CompileInput {
  const { conversation, info, policy, known, tools, handleKey, nowMs, ledger } = options
  const prices = cachePricesOf(info)
  const { maxOutputTokens } = conversation
  return {
    items: conversation.items,
    budget: {
      windowTokens: options.windowTokens ?? info.windowTokens,
      overheadTokens: overheadTokens(conversation, info, tools),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    },
    policy,
    layout: 'messages',
    model: conversation.model,
    hiddenTools: known.map(({ definition }) => definition.name),
    rehydration: tools.some(({ bringsBack }) => bringsBack === true),
    ...(nowMs !== undefined && { nowMs }),
    ...(handleKey !== undefined && { handleKey }),
    ...(ledger && { ledger }),
    ...(prices && { prices }),
  }
}
