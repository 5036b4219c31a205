import { isInstruction } from '../core/index.ts'
import type { Item } from '../core/index.ts'

/** What a conversation begins with before anybody speaks: its tools and instructions. */
export function openingItems(items: readonly Item[]): readonly Item[] {
  const end = items.findIndex(({ role, section }) => section !== 'tools' && !isInstruction(role))
  return end < 0 ? items : items.slice(0, end)
}
