import type { AIMessage, BaseMessage, ToolMessage } from '@langchain/core/messages'
import type * as messages from '@langchain/core/messages'
import type { convertToOpenAITool } from '@langchain/core/utils/function_calling'
import type { AgentMiddleware } from 'langchain'

export type WrapModelCall = NonNullable<AgentMiddleware['wrapModelCall']>
export type ModelRequest = Parameters<WrapModelCall>[0]
export type Handler = Parameters<WrapModelCall>[1]
export type Tool = ModelRequest['tools'][number]
export type Content = BaseMessage['content']
export type Block = Exclude<Content, string>[number]
export type Call = NonNullable<AIMessage['tool_calls']>[number]

/** What of the framework's package is needed to write messages and to read tools: loaded with the first call. */
export interface Core {
  readonly messages: typeof messages
  readonly toolJson: typeof convertToOpenAITool
}

/** What a part of a call came from. */
export type From =
  | { readonly kind: 'system' }
  | { readonly kind: 'tool'; readonly tool: Tool }
  | { readonly kind: 'message'; readonly message: BaseMessage; readonly block?: Block; readonly call?: Call }
  | { readonly kind: 'result'; readonly message: ToolMessage; readonly block?: Block }

/** What a part of a reply came from. */
export interface ReplyFrom {
  readonly message: AIMessage
  readonly block?: Block
  readonly call?: Call
}
