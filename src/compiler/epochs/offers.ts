import type { ConversationInput } from './plan-context.ts'
import type { Rendered } from './render-from.ts'
import { hides } from './session-view.ts'

type Offering = Pick<ConversationInput, 'items' | 'tokens' | 'offerTokens' | 'overheadTokens' | 'ledger' | 'policy'>

/**
 * Whether a session's first request offers the tool that follows handles, needed or not. The tool stands before everything else: whoever
 * brings it in later writes the request anew, which costs less than its definition in each request until then where the first one is short.
 */
export function offersAtOnce({ tokens, offerTokens, overheadTokens, ledger, policy }: Offering): boolean {
  const { toolFrom = 0 } = policy.epochs
  if (offerTokens === undefined || ledger !== undefined) return false
  return toolFrom === 0 || tokens.reduce((sum, count) => sum + count, overheadTokens) >= toolFrom
}

/** Whether the request must offer that tool, and did not before: because it is the first, or because something needs it. */
export function offersNow(input: Offering, { renditions }: Pick<Rendered, 'renditions'>): boolean {
  if (input.offerTokens === undefined) return false
  return offersAtOnce(input) || input.items.some((item, index) => hides(item, renditions[index]))
}
