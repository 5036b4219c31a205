import type { Item, Tokenizer, ToolDefinition, WireExchange } from '../../core/index.ts'
import { perObjectAndKey } from '../../core/index.ts'
import type { ModelInfo } from '../../tokens/index.ts'
import { tokenizerOf } from '../../tokens/index.ts'

/** What each tool's definition takes in a request, in tokens as its model counts; by the tool's name. */
export function tokensByTool({ conversation: { items } }: WireExchange, info: ModelInfo): ReadonlyMap<string, number> {
  const tokenizer = tokenizerOf(info)
  return new Map(
    items.flatMap((item) =>
      item.kind === 'tool-schema' && item.toolName !== undefined ? [[item.toolName, tokensOf(item, tokenizer)]] : [],
    ),
  )
}

/** What the definitions of these tools take together. */
export function definitionTokens(received: WireExchange, tools: readonly ToolDefinition[], info: ModelInfo): number {
  if (tools.length === 0) return 0
  const tokens = tokensByTool(received, info)
  return tools.reduce((sum, { name }) => sum + (tokens.get(name) ?? 0), 0)
}

/** Of tools that a request says again: their items are the same objects. */
const known = perObjectAndKey<Item, number>()

function tokensOf(item: Item, { id, count, countTool = count }: Tokenizer): number {
  if (item.tokens !== undefined) return item.tokens
  return known(item, id, ({ text }) => countTool(text))
}
