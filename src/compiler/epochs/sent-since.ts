import type { CacheMark, Item, Ledger, LedgerEntry } from '../../core/index.ts'

/** What was sent since a ledger's last request, behind what that had. */
export interface SentSince {
  /** Items as they came; they were sent whole. */
  readonly items: readonly Item[]
  /** Ledger keys of the same. */
  readonly keys: readonly string[]
  readonly nowMs: number
}

/** The ledger of a request that was sent again with more behind it: what the model has seen stays so until an epoch begins. */
export function ledgerSince(ledger: Ledger, { items, keys, nowMs }: SentSince): Ledger {
  if (ledger.layout !== 'messages') return ledger
  const entries = items.map((item, index): LedgerEntry => {
    const tokens = Math.ceil(item.text.length / usualChars)
    return { key: keys[index] ?? '', rung: 'full', tokens, originalTokens: tokens }
  })
  const end: CacheMark = { items: ledger.entries.length + items.length, atMs: nowMs }
  const added = entries.reduce((total, { tokens }) => total + tokens, 0)
  return {
    ...ledger,
    entries: [...ledger.entries, ...entries],
    lastRequestMs: nowMs,
    lastTokens: ledger.lastTokens + added,
    lastOriginalTokens: ledger.lastOriginalTokens + added,
    ...(ledger.marks && { marks: [...ledger.marks, end] }),
  }
}

/** A guess that stands until the next request counts. */
const usualChars = 4
