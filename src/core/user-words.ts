import type { Item } from './item.ts'

/**
 * The place of the user's newest words in a conversation, with which the turn of the user begins that it is in; -1 where there are none. What
 * tools return and what an agent's own program adds beside it are no words of the user.
 */
export function userTurnAt(items: readonly Item[]): number {
  return items.findLastIndex(isOfUser)
}

function isOfUser({ role, kind, text }: Item): boolean {
  return role === 'user' && (kind === 'media' || (kind === 'text' && !isReminder.test(text)))
}

/** What Claude Code adds to results and to the user's words. */
const isReminder = /^\s*<system-reminder>/
