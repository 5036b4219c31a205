import type { AgentInputItem, AgentOutputItem, Model, ModelRequest, ModelResponse } from '@openai/agents-core'

export type { AgentInputItem, AgentOutputItem, Model, ModelRequest, ModelResponse }
export type Tool = ModelRequest['tools'][number]
export type StreamEvent = ReturnType<Model['getStreamedResponse']> extends AsyncIterable<infer Event> ? Event : never
type ItemOf<Type extends string> = Extract<AgentInputItem, { readonly type: Type }>
export type ResultItem = ItemOf<'function_call_result'>

/** What a part of a call came from. */
export type From =
  | { readonly kind: 'system' }
  | { readonly kind: 'tool'; readonly tool: Tool }
  | { readonly kind: 'handoff' }
  | { readonly kind: 'input'; readonly text: string }
  /** A part of the item's content, where it has several. */
  | { readonly kind: 'item'; readonly item: AgentInputItem; readonly content?: object }
