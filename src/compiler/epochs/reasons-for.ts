import type { ReasonCode, Rendition } from '../../core/index.ts'
import type { PlanContext } from './plan-context.ts'

/** Why each item is shown as it is. */
export function reasonsFor(
  { input, view }: PlanContext,
  renditions: readonly Rendition[],
  forced: ReadonlySet<number>,
): readonly ReasonCode[] {
  const lastReply = input.items.findLastIndex((item) => item.role === 'assistant')
  return input.items.map((item, index) => {
    const shown = renditions[index]
    if (item.pin === true) return 'pinned'
    if (item.frozen === true) return 'frozen'
    if (shown === undefined || shown.rung === 'full') return index > lastReply ? 'recent' : 'fits'
    if (forced.has(index)) return 'pressure'
    const before = view.frozen[index]
    if (before !== undefined && before.text === shown.text) return 'ledger'
    if (shown.references !== undefined) return 'repeats'
    return shown.rung === 'lossless' ? 'lossless' : 'economy'
  })
}
