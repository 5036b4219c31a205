import type { ConversationShape } from '../tokens/index.ts'
import type { HiddenTool } from './tools/hidden-tool.ts'

/** Counts what a request costs beside its items: framing, and tools that are no items. */
export type Overhead = (shape: ConversationShape) => number

export interface TurnShape {
  readonly conversation: ConversationShape
  /** As the client has sent it. */
  readonly client: ConversationShape
  readonly offered: readonly HiddenTool[]
  /** Tools that the request comes to offer where something in it needs them. */
  readonly ifNeeded: readonly HiddenTool[]
}

/** What a turn costs beside its items, the part of that which is there because of us, and what further tools would add. */
export function turnOverhead(
  { conversation, client, offered, ifNeeded }: TurnShape,
  overhead: Overhead,
): { readonly overheadTokens: number; readonly ownTokens: number; readonly offerTokens?: number } {
  const beside = (shape: ConversationShape, tools: readonly HiddenTool[] = []): number =>
    overhead({ ...shape, addedTools: definitionsOf(tools) })
  const bare = { ...conversation, messages: [], items: [] }
  const isSame = conversation.messages.length === client.messages.length
  const overheadTokens = beside(conversation, offered)
  return {
    overheadTokens,
    // Where its messages are the same they need not be counted again.
    ownTokens: isSame ? beside(bare, offered) - beside(bare) : overheadTokens - beside(client),
    ...(ifNeeded.length > 0 && { offerTokens: beside(bare, [...offered, ...ifNeeded]) - beside(bare, offered) }),
  }
}

function definitionsOf(tools: readonly HiddenTool[]): ConversationShape['addedTools'] & {} {
  return tools.map(({ definition }) => definition)
}
