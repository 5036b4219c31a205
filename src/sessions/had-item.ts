import { contentHasher, entriesOf } from '../compiler/index.ts'
import type { Item } from '../core/index.ts'
import { sha256 } from '../host/index.ts'
import type { Branch } from './live-state.ts'

const hashOf = contentHasher(sha256)

/** Whether the last request of any branch held the item at a place of a conversation, the words said twice being two items. */
export function hadItem(branches: readonly Branch[], items: readonly Item[], place: number): boolean {
  const item = items[place]
  if (item === undefined) return false
  const key = hashOf(item)
  const alike = items.slice(0, place + 1).filter(({ text, role }) => text === item.text && role === item.role).length
  return branches.some(
    ({ state: { ledger } }) => entriesOf(ledger).filter((entry) => isOf(entry.key, key)).length >= alike,
  )
}

/** A ledger numbers what comes more than once. */
function isOf(entry: string, key: string): boolean {
  return entry === key || entry.startsWith(`${key}#`)
}
