import type { Item, ProviderEditing } from '../../core/index.ts'

export interface EditedConversation {
  readonly items: readonly Item[]
  /** Of the request as it stands, framing included. */
  readonly totalTokens: number
  readonly editing: ProviderEditing | undefined
}

/** Indexes of the results that the provider clears in the request as it stands: to shorten them saves nothing. */
export function clearedResults({ items, totalTokens, editing }: EditedConversation): ReadonlySet<number> {
  const { clears } = editing ?? {}
  if (clears === undefined || totalTokens <= clears.aboveTokens) return none
  const spared = new Set(clears.sparedTools)
  const results = [...items.keys()].filter((index) => {
    const item = items[index]
    return item?.kind === 'tool-result' && !spared.has(item.toolName ?? '')
  })
  return new Set(results.slice(0, Math.max(0, results.length - clears.keep)))
}

const none: ReadonlySet<number> = new Set()

/**
 * Requests until the provider rewrites the conversation itself, and what was saved in it until then is moot; never where it
 * does not. The conversation is taken to grow as it has grown so far.
 */
export function turnsUntilEdited(totalTokens: number, turns: number, editing: ProviderEditing | undefined): number {
  const { clears, compactsAboveTokens = Infinity } = editing ?? {}
  const limits = [clears?.aboveTokens ?? Infinity, compactsAboveTokens].filter((limit) => limit > totalTokens)
  const growth = totalTokens / (turns + 1)
  return Math.ceil((Math.min(Infinity, ...limits) - totalTokens) / growth)
}
