import type { Hasher, Item, Ledger, LedgerEntry } from '../../core/index.ts'
import { contentHasher, growingKeys } from '../items/item-keys.ts'
import { compactionStanding } from './compaction-standing.ts'
import { entriesOf } from './session-view.ts'
import { isSummarised } from './summarised.ts'

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

/**
 * The ledger as if its last request had ended after that many items: where another conversation branches off. It ends earlier where a
 * summary stands for items on both sides, which would tell the branch what it does not have.
 */
export function ledgerUpTo(ledger: Ledger, most: number): Ledger {
  if (ledger.layout === 'payload') return ledger
  const items = beforeSummary(ledger.entries, most)
  const entries = ledger.entries.slice(0, items)
  const gone = ledger.entries.slice(items)
  const { marks } = ledger
  return {
    ...compactionStanding(ledger, (_, index) => index < items),
    entries,
    lastTokens: ledger.lastTokens - gone.reduce((total, { tokens }) => total + tokens, 0),
    lastOriginalTokens: ledger.lastOriginalTokens - gone.reduce((total, entry) => total + entry.originalTokens, 0),
    ...(marks && { marks: marks.filter((mark) => mark.items <= items) }),
  }
}

/** The last place up to `most` at which no summary is cut in two. */
function beforeSummary(entries: readonly LedgerEntry[], most: number): number {
  const beyond = new Set<string>()
  let end = entries.length
  let items = Math.min(most, end)
  while (end > items) {
    for (const { rung, handle } of entries.slice(items, end))
      if (handle !== undefined && isSummarised({ rung })) beyond.add(handle)
    end = items
    const first = entries
      .slice(0, items)
      .findIndex(({ rung, handle }) => isSummarised({ rung }) && beyond.has(handle ?? ''))
    if (first !== -1) items = first
  }
  return items
}
