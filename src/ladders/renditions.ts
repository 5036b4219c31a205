import type { LadderContext, LineReference, Rendition, Rung } from '../core/index.ts'
import { rungs } from '../core/index.ts'

/** A way to show an item, before it has been measured. */
export interface Draft {
  readonly rung: Rung
  readonly text: string
  readonly fidelity: number
  readonly handle?: string
  readonly references?: readonly LineReference[]
  readonly expendable?: boolean
}

const ranks = new Map<Rung, number>(rungs.map((rung, rank) => [rung, rank]))

/**
 * Measures drafts and keeps those that pay: each strictly cheaper than the one before, never a better-ranked rung after a
 * worse one, nothing larger than the original.
 */
export function measured(full: Rendition, drafts: readonly Draft[], context: LadderContext): readonly Rendition[] {
  const kept: Rendition[] = [full]
  for (const draft of drafts) {
    const last = kept.at(-1) ?? full
    if ((ranks.get(draft.rung) ?? 0) < (ranks.get(last.rung) ?? 0)) continue
    const rendition = { ...draft, fidelity: bounded(draft.fidelity), tokens: context.count(draft.text) }
    if (rendition.tokens < last.tokens) kept.push(rendition)
  }
  return kept
}

/** Shares are measured in characters or in worth and may stray; what is shown at all has some fidelity. */
function bounded(fidelity: number): number {
  return Math.min(1, Math.max(0.01, fidelity))
}
