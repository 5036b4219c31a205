import type { Rendition } from '../../core/index.ts'
import type { PlanContext } from './plan-context.ts'
import { isUnread } from './unread-results.ts'

/**
 * Indexes of items that an earlier request shortened and this one shows whole again. Where no tool follows handles, only a full window
 * shortens, so everything is shown again once all of it fits with room to spare: after a client has gone back, or for a model with a
 * larger window. Where a client has gone back, so is a result that is unread again. What has been pinned since is shown whole at once: a
 * person has asked for that.
 */
export function shownAgain(context: PlanContext): readonly number[] {
  const { input, view } = context
  const short = view.frozen.flatMap((shown, index) => (isShort(shown) ? [index] : []))
  if (short.length === 0) return []
  const pinned = short.filter((index) => input.items[index]?.pin === true)
  if (!input.rehydration) return isForcedByRoom(context) && allFits(context) ? short : pinned
  return view.diverged ? [...new Set([...pinned, ...short.filter(isUnread(input.items))])] : pinned
}

function isShort(shown: Rendition | undefined): boolean {
  return shown !== undefined && shown.rung !== 'full' && shown.rung !== 'lossless'
}

/** Summaries, a bound on turns and an ordered compaction shorten whatever room there is. */
function isForcedByRoom({ input: { policy, ledger }, room }: PlanContext): boolean {
  const isCompacted = ledger?.layout === 'messages' && (ledger.compacted?.count ?? 0) > 0
  return policy.summaries === undefined && room.turns === undefined && !isCompacted
}

function allFits({ input: { items, tokens, overheadTokens, policy }, room }: PlanContext): boolean {
  const sum = (holds: (index: number) => boolean): number =>
    tokens.reduce((all, one, index) => (holds(index) ? all + one : all), 0)
  const isWithin = (allTokens: number, mostTokens: number): boolean => allTokens <= policy.pressure.prepare * mostTokens
  return (
    isWithin(sum(() => true) + overheadTokens, room.limitTokens) &&
    Array.from(room.caps ?? []).every(([section, most]) =>
      isWithin(
        sum((index) => items[index]?.section === section),
        most,
      ),
    )
  )
}
