import type { Item } from './item.ts'
import { parseObject } from './parse-json.ts'

/**
 * What the caller has asked the provider to do to a conversation by itself, before the model reads it: Anthropic's and OpenAI's
 * `context_management`. Nothing of it is recoverable, and each time it rewrites what the provider has cached.
 */
export interface ProviderEditing {
  /** Results of tools are cleared in requests of more tokens than `aboveTokens`: all but the newest `keep`, and those of some tools. */
  readonly clears?: { readonly aboveTokens: number; readonly keep: number; readonly sparedTools?: readonly string[] }
  /** All that was said gives way to a summary in requests of more tokens. */
  readonly compactsAboveTokens?: number
  /** Id of the block that the provider's last compaction has left: it ignores all that was said before, and bills none of that. */
  readonly ignoresBefore?: string
}

/** Whether an item is what a provider leaves in place of what it has compacted. A compaction that failed leaves a block without content. */
export function isProviderCompaction({ kind, text }: Pick<Item, 'kind' | 'text'>): boolean {
  if (kind !== 'opaque' || !text.includes('"compaction"')) return false
  const block = parseObject(text)
  if (block?.['type'] !== 'compaction') return false
  return [block['content'], block['encrypted_content'], block['signature']].some((said) => typeof said === 'string')
}
