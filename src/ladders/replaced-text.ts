import type { Item, Rendition } from '../core/index.ts'
import { foldRuns } from './fold-runs.ts'
import type { OpenRun } from './fold-runs.ts'
import type { LadderOptions } from './ladder-options.ts'
import type { Draft } from './renditions.ts'
import { factReader } from './text-facts.ts'
import { splitLines } from './text-lines.ts'

/**
 * A call whose edit was made, without the texts that it has replaced: the file does not hold them any more. Of each the first and the last line stay, so that
 * the place can be told. The call stays valid JSON with the same keys. None where nothing would go.
 */
export function withoutReplaced(item: Item, full: Rendition, context: LadderOptions): readonly Draft[] {
  const { handle, count } = context
  const folds = replacedRuns(item, context)
  if (folds.length === 0) return []
  const text = foldRuns(item.text, folds, handle)
  return [{ rung: 'trimmed', text, fidelity: count(text) / Math.max(1, full.tokens), handle }]
}

/** The inner lines of the texts that the call's edit has replaced, where they take more than their marker. */
export function replacedRuns(
  { text }: Item,
  { facts: reader, count, conversation }: LadderOptions,
): readonly OpenRun[] {
  const { replacedTokens } = conversation ?? {}
  if (replacedTokens === undefined) return []
  const facts = reader ?? factReader()
  const { replaces } = facts.ofCall(text)
  if (replaces.size === 0) return []
  const { lines } = splitLines(text)
  return facts
    .longRuns(text, replacedTokens - 1, count)
    .filter(
      ({ first, last, literal }) =>
        replaces.has(String(JSON.parse(literal))) && count(lines.slice(first, last + 1).join('')) > markerTokens,
    )
}

/** Tokens of the marker in a call, its handle included. */
const markerTokens = 32
