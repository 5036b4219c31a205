import type { ContentKind } from './content-kinds.ts'
import type { LadderOptions } from './ladder-options.ts'
import { losslessForms } from './lossless-forms.ts'
import type { Draft } from './renditions.ts'

/** The cheapest form in which nothing is lost; none where it would save next to nothing. */
export function losslessDrafts(
  text: string,
  kind: ContentKind,
  context: Pick<LadderOptions, 'count' | 'handle' | 'losslessForms'>,
): readonly Draft[] {
  if (context.losslessForms === false) return []
  const before = context.count(text)
  let least = before - Math.max(4, before * 0.03)
  let best: Draft | undefined
  for (const candidate of losslessForms(text, kind)) {
    const tokens = context.count(candidate)
    if (tokens > least) continue
    least = tokens
    best = { rung: 'lossless', text: candidate, fidelity: 1, handle: context.handle }
  }
  return best === undefined ? [] : [best]
}
