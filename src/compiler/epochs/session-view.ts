import type { Item, Ledger, LedgerEntry, Rendition } from '../../core/index.ts'

/** How a request's items stood in the last one. */
export interface SessionView {
  readonly keys: readonly string[]
  /** Items that the last request began with, unchanged and in order; their bytes may be in the provider's cache. */
  readonly aligned: number
  /** True where the client changed or dropped something that was sent before. */
  readonly diverged: boolean
  /** The frozen rendition of each item; undefined where none is known. */
  readonly frozen: readonly (Rendition | undefined)[]
}

export interface ViewInput {
  readonly items: readonly Item[]
  readonly keys: readonly string[]
  readonly tokens: readonly number[]
  readonly ledger: Ledger | undefined
}

/** Lines a request up with the ledger. Decisions for items that moved are kept where they refer to nothing else. */
export function sessionView({ items, keys, tokens, ledger }: ViewInput): SessionView {
  const entries = entriesOf(ledger)
  let aligned = 0
  while (aligned < entries.length && entries[aligned]?.key === keys[aligned]) aligned++
  const diverged = aligned < entries.length
  const moved = diverged ? new Map(entries.slice(aligned).map((entry) => [entry.key, entry])) : undefined
  const frozen = items.map((item, index) => {
    const entry = index < aligned ? entries[index] : independent(moved?.get(keys[index] ?? ''))
    return entry && renditionOf(item, entry, tokens[index] ?? 0)
  })
  return { keys, aligned, diverged, frozen }
}

/** What the last request showed; a ledger of another layout tells nothing about it. */
export function entriesOf(ledger: Ledger | undefined): readonly LedgerEntry[] {
  return ledger?.layout === 'messages' ? ledger.entries : []
}

function independent(entry: LedgerEntry | undefined): LedgerEntry | undefined {
  return entry?.references === undefined ? entry : undefined
}

function renditionOf(item: Item, entry: LedgerEntry, fullTokens: number): Rendition {
  if (entry.text === undefined) return { rung: 'full', text: item.text, tokens: fullTokens, fidelity: 1 }
  return {
    rung: entry.rung,
    text: entry.text,
    tokens: entry.tokens,
    fidelity: entry.rung === 'lossless' ? 1 : entry.tokens / Math.max(1, entry.originalTokens),
    ...(entry.handle === undefined ? {} : { handle: entry.handle }),
    ...(entry.references === undefined ? {} : { references: entry.references }),
  }
}
