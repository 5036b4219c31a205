import type { JsonValue } from '../../core/index.ts'

/** What of the protocol's own types is used here: whoever uses it has them, and its SDK is no package of ours. */
export interface McpTool {
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema: { readonly type: 'object'; readonly [keyword: string]: unknown }
}

interface Annotated {
  readonly annotations?: { readonly audience?: readonly string[] | undefined } | undefined
}

interface Resource {
  readonly uri: string
  readonly mimeType?: string | undefined
  readonly text?: string | undefined
  readonly blob?: string | undefined
}

/** A block of content in a result, as the protocol has it. */
export type McpContent = Annotated &
  (
    | { readonly type: 'text'; readonly text: string }
    | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
    | {
        readonly type: 'resource_link'
        readonly uri: string
        readonly name: string
        readonly description?: string | undefined
      }
    | { readonly type: 'resource'; readonly resource: Resource }
  )

/** The result of a tool call, as the protocol has it. */
export interface McpContentResult {
  readonly content: readonly McpContent[]
  readonly structuredContent?: Readonly<Record<string, unknown>> | undefined
  readonly isError?: boolean | undefined
}

/** The answer of a server that speaks the protocol of October 2024. */
export interface McpOldResult {
  readonly toolResult: unknown
}

/** What `client.callTool` of the protocol's SDK returns. */
export type McpResult = McpContentResult | McpOldResult

/** A call as a client of the protocol makes it, under the id by which the conversation knows it. */
export interface McpCall {
  readonly id: string
  readonly name: string
  readonly arguments?: Readonly<Record<string, JsonValue>> | undefined
}
