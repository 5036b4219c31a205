import type { Hasher, Item, Ledger } from '../../core/index.ts'
import { contentHasher, growingKeys } from '../items/item-keys.ts'
import { entriesOf } from './session-view.ts'

/** Gives the keys under which a ledger knows the items of a request; for requests of one conversation in turn it has the least to do. */
export function ledgerKeys(hash: Hasher): (items: readonly Item[]) => readonly string[] {
  return growingKeys(contentHasher(hash))
}

/** How many items a request and the last request of a ledger have in common at their beginning. */
export function sharedBeginning(ledger: Ledger, keys: readonly string[]): number {
  const entries = entriesOf(ledger)
  let shared = 0
  while (shared < entries.length && entries[shared]?.key === keys[shared]) shared += 1
  return shared
}

/** The ledger as if its last request had ended after that many items: where another conversation branches off. */
export function ledgerUpTo(ledger: Ledger, items: number): Ledger {
  if (ledger.layout === 'payload') return ledger
  const entries = ledger.entries.slice(0, items)
  const gone = ledger.entries.slice(items)
  const { marks } = ledger
  return {
    ...ledger,
    entries,
    lastTokens: ledger.lastTokens - gone.reduce((total, { tokens }) => total + tokens, 0),
    lastOriginalTokens: ledger.lastOriginalTokens - gone.reduce((total, entry) => total + entry.originalTokens, 0),
    ...(marks && { marks: marks.filter((mark) => mark.items <= items) }),
  }
}
