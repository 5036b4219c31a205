import type { Item, LadderMaker, Rendition } from '../core/index.ts'
import { foldableRuns, foldRuns } from './fold-runs.ts'
import type { Run } from './fold-runs.ts'
import { fullRendition } from './full.ts'
import { isJsonText } from './json-source.ts'
import type { LadderOptions } from './ladder-options.ts'
import { outlinedCall, wantsOutline } from './outline.ts'
import type { Draft } from './renditions.ts'
import { measured } from './renditions.ts'
import { withoutReplaced } from './replaced-text.ts'
import { isThinned, thinnedCall } from './worth-by-names.ts'

/** Values of a call up to this many tokens are never touched. */
const longValueTokens = 400
/** Lines kept at the start and at the end of a long value, per depth. */
const depths = [
  { head: 16, tail: 8 },
  { head: 4, tail: 2 },
] as const

/** How a tool call may be shown: in full, or with the middle of long string values folded. It stays valid JSON with the same keys. */
export const toolCallLadder: LadderMaker = (item, context: LadderOptions) => {
  const full = fullRendition(item, context)
  if (context.conversation !== undefined) return measured(full, inConversation(item, full, context), context)
  if (full.tokens <= longValueTokens) return [full]
  const folds = foldableRuns(
    item.text,
    (literal) => literal.length > longValueTokens && context.count(literal) > longValueTokens,
  )
  if (folds.length === 0) return [full]
  const drafts: Draft[] = depths.flatMap(({ head, tail }) => {
    const text = foldRuns(item.text, narrowed(folds, head, tail), context.handle)
    return isJsonText(text)
      ? [{ rung: 'trimmed' as const, text, fidelity: text.length / item.text.length, handle: context.handle }]
      : []
  })
  return measured(full, drafts, context)
}

/** Of a call whose bytes a provider keeps: as the model wrote it, or shorter by the worth of its names. */
function inConversation(item: Item, full: Rendition, context: LadderOptions): readonly Draft[] {
  if (wantsOutline(context)) return outlinedCall(item, full, context)
  return isThinned(context) ? thinnedCall(item, full, context) : withoutReplaced(item, full, context)
}

function narrowed(runs: readonly Run[], head: number, tail: number): readonly Run[] {
  return runs.flatMap(({ first, last }) => {
    const narrow = { first: first + head - 1, last: last - tail + 1 }
    return narrow.last - narrow.first >= 2 ? [narrow] : []
  })
}
