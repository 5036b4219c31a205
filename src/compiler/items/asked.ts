import type { Item } from '../../core/index.ts'

/** Whether the user says it. What a tool says is no word of his, under whatever role it stands. */
export function isAsked(item: Item | undefined): boolean {
  return item?.role === 'user' && item.kind !== 'tool-result'
}

/** Whether a turn begins with an item: with the first that the user says, and not with the next ones. */
export function beginsTurn(item: Item | undefined, before: Item | undefined): boolean {
  return isAsked(item) && !isAsked(before)
}
