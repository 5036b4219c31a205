import type { Item, Rendition } from '../../core/index.ts'
import type { Choice } from './least-loss.ts'
import type { PlanContext } from './plan-context.ts'
import type { Rendered } from './render-from.ts'

/** Whether an item is a result that no reply has followed yet. */
export function isUnread(items: readonly Item[]): (index: number) => boolean {
  const read = items.findLastIndex(({ role }) => role === 'assistant')
  return (index) => index > read && items[index]?.kind === 'tool-result'
}

/**
 * Unread results by head, tail and failures, so that together they take `mostTokens` where their forms go so far. The largest give way
 * first, down to a size that all of them may have.
 */
export function unreadWithin(
  { input, options }: PlanContext,
  { renditions }: Rendered,
  { members, mostTokens }: { readonly members: readonly number[]; readonly mostTokens: number },
): Choice {
  const choice = new Map<number, Rendition>()
  const sizes = members.map((index) => renditions[index]?.tokens ?? 0)
  let leftTokens = mostTokens
  // Smallest first: what a small result does not use is room for the larger ones.
  const order = members.map((index, at) => ({ index, size: sizes[at] ?? 0 })).toSorted((a, b) => a.size - b.size)
  for (const [at, { index, size }] of order.entries()) {
    const most = Math.max(0, leftTokens) / (order.length - at)
    const shorter = size <= most ? undefined : formWithin(options.rungsOf, { index, size, most, full: input.tokens })
    if (shorter !== undefined) choice.set(index, shorter)
    leftTokens -= shorter?.tokens ?? size
  }
  return choice
}

interface FormWanted {
  readonly index: number
  readonly size: number
  readonly most: number
  readonly full: readonly number[]
}

/** The largest form of an unread result that has room, else the smallest that is shorter than what is shown. */
function formWithin(
  rungsOf: PlanContext['options']['rungsOf'],
  { index, size, most, full }: FormWanted,
): Rendition | undefined {
  const share = most / Math.max(1, full[index] ?? size)
  const shares = [share, share * 0.9, share * 0.75, share / 2].filter((one) => one > 0)
  const forms = rungsOf(index, { outline: true, shares, lowestRung: 'line' }).filter(
    ({ tokens, rung }) => tokens < size && rung !== 'lossless' && rung !== 'full' && rung !== 'omitted',
  )
  return forms.find(({ tokens }) => tokens <= most) ?? forms.at(-1)
}
