import { inlineChars } from '../../kernel/table.ts'
import type { Written } from '../../kernel/table.ts'
import type { FoundInTenant, FoundTurnItem, Turn, TurnItem } from './turn.ts'

/** An item as it stands in a list: a long text by its hash. */
export type StoredTurnItem = Omit<TurnItem, 'text'> & ({ readonly text: string } | { readonly textHash: string })

/** A turn without its items, by the names of its columns. */
export function turnHeadIn(row: Readonly<Record<string, unknown>>): Omit<Turn, 'items'> {
  return {
    turn: Number(row['turn']),
    lane: String(row['lane']),
    requestId: String(row['request_id']),
    createdMs: Number(row['created_ms']),
  }
}

/** An item as it is written to a list. */
export function writtenItem({ text, ...others }: TurnItem): Written {
  if (text.length <= inlineChars) return { json: JSON.stringify({ ...others, text }) }
  return { json: JSON.stringify(others), text }
}

/** What is found within one session needs no name of it. */
export function withoutSession({ session: _session, ...found }: FoundInTenant): FoundTurnItem {
  return found
}
