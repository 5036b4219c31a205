import type { ConversationContext, EpochPolicy, Rendition } from '../../core/index.ts'
import { saidLongAgo } from './eligible.ts'
import { askedIn } from './asked-words.ts'
import type { Asked } from './asked-words.ts'
import { isNamed, newestViews, quotedBy, viewSteps } from './newest-views.ts'
import type { NewestView } from './newest-views.ts'
import { lastTouches } from './last-touches.ts'
import type { RenderOptions } from './render-from.ts'
import { spentLines } from './spent-lines.ts'
import { addNames, addSaid, visibleNames, visibleSaid } from './visible-names.ts'

export interface KnownOptions extends Pick<RenderOptions, 'items' | 'steps' | 'facts'> {
  readonly renditions: readonly Rendition[]
  /** Indexes that are about to be shortened: how they are shown now does not count. */
  readonly members: readonly number[]
  readonly policy: EpochPolicy
}

/** What a conversation knows of an item that is about to be shortened, as one after the other finds its form. */
export interface KnownElsewhere {
  of(index: number): ConversationContext
  /** What such an item shows from now on. */
  add(index: number, shown: Rendition): void
}

export function knownElsewhere({ items, renditions, steps, facts, members, policy }: KnownOptions): KnownElsewhere {
  const { lowestRung, lineWorth, callTokens, ownCalls } = policy
  const pricesCharacters = policy.lineWorthPer === 'character'
  const touched = policy.touchAge === true ? lastTouches({ items, steps, facts }) : undefined
  const open = new Set(members)
  const skip = (index: number): boolean => open.has(index)
  const visible = visibleNames({ items, renditions, facts, skip })
  const said = visibleSaid({ items, renditions, facts, skip })
  const spent = ownCalls === 'spent' ? spentLines({ items, renditions, steps, facts, skip }) : undefined
  const views = newestViews({ items, steps, facts })
  const isOld = saidLongAgo(items, policy)
  const newest = steps.at(-1) ?? 0
  let read: Asked | undefined
  const asked = (): Asked => (read ??= askedIn(items, facts))
  /** The last step that was at work on the file of a view: one that edited it, or the user's words that name it. */
  const workedOn = ({ edited, shows }: NewestView): number | undefined => {
    const named = isNamed(shows, asked().text) ? steps[asked().at] : undefined
    return named === undefined ? edited : Math.max(named, edited ?? 0)
  }
  return {
    of(index) {
      const view = views.get(index)
      const seen = touched?.(index) ?? steps[index] ?? 0
      const age = (newest - seen) / (view === undefined ? 1 : viewSteps)
      const worked = view === undefined ? undefined : workedOn(view)
      const everyLine = worked === undefined ? 0 : quotedBy(newest - worked)
      return {
        visible,
        said,
        age,
        everyLine,
        lineWorth,
        callTokens,
        lowestRung,
        asked: () => asked().words,
        askedTerms: () => asked().terms,
        askedNames: () => asked().names,
        ...(spent && { spent: spent.ofCall(index) }),
        ...(pricesCharacters && { pricesCharacters }),
        ...(isOld(index) && { isOldText: true }),
      }
    },
    add(index, shown) {
      const item = items[index]
      if (item !== undefined) {
        addNames(visible, item, shown, facts)
        addSaid(said, item, shown, facts)
      }
      spent?.add(index, shown)
    },
  }
}
