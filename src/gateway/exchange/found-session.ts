import type { Conversation, WireExchange, Wire } from '../../core/index.ts'
import type { Belonging } from '../../sessions/index.ts'

/** The session that a request belongs to, found once. */
export interface FoundSession extends Belonging {
  /** Whether the session only watches: the request goes as it came. */
  readonly isObserved: boolean
  /** The request as the layers had made it then, and what of it that was read from. */
  readonly layered: WireExchange
  readonly of: { readonly wire: Wire; readonly conversation: Conversation }
}
