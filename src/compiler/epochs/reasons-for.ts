import type { ReasonCode, Rendition } from '../../core/index.ts'
import { keptFailures } from './eligible.ts'
import { isUnread } from './unread-results.ts'
import type { PlanContext } from './plan-context.ts'

/** Why each item is shown as it is. */
export function reasonsFor(
  { input, room, view, facts, outdated }: PlanContext,
  renditions: readonly Rendition[],
  forced: ReadonlySet<number>,
): readonly ReasonCode[] {
  const { policy } = input
  const failures = keptFailures({ items: input.items, renditions, policy: policy.epochs, facts })
  const lastReply = input.items.findLastIndex((item) => item.role === 'assistant')
  const unread = isUnread(input.items)
  return input.items.map((item, index) => {
    const shown = renditions[index]
    if (item.pin === true) return 'pinned'
    if (item.frozen === true && shown?.rung !== 'omitted') return 'frozen'
    if (shown?.rung === 'full' && failures.has(index)) return 'error-kept'
    if (shown === undefined || shown.rung === 'full') return index > lastReply ? 'recent' : 'fits'
    const over = shown.rung === 'line' && view.frozen[index]?.text !== shown.text ? outdated.get(index) : undefined
    if (over !== undefined) return over
    if (forced.has(index)) return unread(index) ? 'window-full' : 'pressure'
    const isChosenAnew = room.given?.has(index) === true && view.frozen[index] === undefined
    if (isChosenAnew) return shown.rung === 'lossless' ? 'lossless' : 'section-budget'
    const before = view.frozen[index]
    if (before !== undefined && before.text === shown.text) return 'ledger'
    if (input.dressOf?.(index) !== undefined && shown.rung === 'lossless') return 'quarantined'
    if (shown.references !== undefined) return 'repeats'
    return shown.rung === 'lossless' ? 'lossless' : 'economy'
  })
}
