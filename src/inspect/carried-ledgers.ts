import { ledgerKeys } from '../compiler/index.ts'
import type { Item, Ledger } from '../core/index.ts'
import { sha256 } from '../host/index.ts'
import { answeredItems, continuation } from '../sessions/index.ts'
import type { KnownConversation } from '../sessions/index.ts'

/** What was decided for a session so far, for each way that it goes. */
export interface CarriedLedgers {
  /** What a request is decided upon: what was decided for the one that it goes on from. */
  before(items: readonly Item[]): Ledger | undefined
  /** Whether the one that the request goes on from, the last that was asked about, offered our tool. */
  offered(): boolean
  /** Carries on what was decided for the request that was asked about last, and whether it offers our tool. */
  after(items: readonly Item[], ledger: Ledger | undefined, offered?: boolean): void
}

interface OpenedConversation extends KnownConversation {
  readonly offered: boolean
}

/** Ways of one session that are remembered. */
const mostConversations = 8

export function carriedLedgers(): CarriedLedgers {
  const keysOf = ledgerKeys(sha256)
  let conversations: readonly OpenedConversation[] = []
  let found: ReturnType<typeof continuation<OpenedConversation>>
  return {
    before(items) {
      found = continuation(conversations, () => items, keysOf)
      return found?.parted?.ledger ?? found?.known.ledger
    },
    offered: () => found?.known.offered === true,
    after(items, ledger, offered = false) {
      const now = { answeredItems: answeredItems(items), offered, ...(ledger && { ledger }) }
      const others = conversations.filter((known) => found?.parted !== undefined || known !== found?.known)
      conversations = [now, ...others].slice(0, mostConversations)
    },
  }
}
