import type { Item, Ledger, LedgerEntry, Rendition } from '../../core/index.ts'
import { toldFidelity } from './told-fidelity.ts'

/** How a request's items stood in the last one. */
export interface SessionView {
  readonly keys: readonly string[]
  /** Items that the last request began with, unchanged and in order; their bytes may be in the provider's cache. */
  readonly aligned: number
  /** True where the client changed or dropped something that was sent before. */
  readonly diverged: boolean
  /** True where something was hidden that the model could not ask for any more, so that it is shown again. */
  readonly reopened: boolean
  /** The frozen rendition of each item; undefined where none is known. */
  readonly frozen: readonly (Rendition | undefined)[]
}

export interface ViewInput {
  readonly items: readonly Item[]
  readonly keys: readonly string[]
  readonly tokens: readonly number[]
  readonly ledger: Ledger | undefined
  /** Whether handles can be followed. */
  readonly rehydration: boolean
  /** Whether summaries stand even where they cannot. */
  readonly summaries?: boolean
}

/** Lines a request up with the ledger. Decisions for items that moved are kept where they refer to nothing else. */
export function sessionView({ items, keys, tokens, ledger, rehydration, summaries = false }: ViewInput): SessionView {
  const entries = entriesOf(ledger)
  let aligned = 0
  while (aligned < entries.length && entries[aligned]?.key === keys[aligned]) aligned++
  const diverged = aligned < entries.length
  const moved = diverged ? new Map(entries.slice(aligned).map((entry) => [entry.key, entry])) : undefined
  const opened = items.findIndex((item, index) => mustOpen(item, entryAt(index)))
  const standing = opened === -1 ? aligned : Math.min(aligned, opened)
  const frozen = items.map((item, index) => {
    const entry = index < standing ? entries[index] : independent(entryAt(index))
    return entry && !mustOpen(item, entry) ? renditionOf(item, entry, tokens[index] ?? 0) : undefined
  })
  return { keys, aligned: standing, diverged, reopened: opened !== -1, frozen }

  function mustOpen(item: Item, entry: LedgerEntry | undefined): boolean {
    // What was shown without its handle, because no tool could follow it, is shown anew as soon as one can.
    if (entry?.unhandled === true) return rehydration
    return (
      !rehydration && hides(item, entry) && !(summaries && (entry?.rung === 'summary' || entry?.rung === 'omitted'))
    )
  }

  function entryAt(index: number): LedgerEntry | undefined {
    return index < aligned ? entries[index] : moved?.get(keys[index] ?? '')
  }
}

/** Whether something can only be read by its handle. A definition is shown as one at every level, and hides nothing unless it says that a handle brings something back. */
export function hides(
  { kind }: Pick<Item, 'kind'>,
  entry: Pick<LedgerEntry, 'handle' | 'rung' | 'text' | 'unhandled'> | undefined,
): boolean {
  if (entry?.handle === undefined || entry.rung === 'lossless' || entry.unhandled === true) return false
  return kind !== 'tool-schema' || entry.text?.includes(entry.handle) === true
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
    // What the provider ignores costs nothing, however it is shown.
    tokens: item.tokens === 0 ? 0 : entry.tokens,
    fidelity: toldFidelity(entry),
    ...(entry.handle === undefined ? {} : { handle: entry.handle }),
    ...(entry.references === undefined ? {} : { references: entry.references }),
    ...(entry.unhandled === undefined ? {} : { unhandled: entry.unhandled }),
  }
}
