import type { StepFrame } from '../../core/index.ts'
import { asConstraint } from '../../core/index.ts'

/**
 * Words of the step that ladders look for. The request is left out: it changes every turn, and what was decided about
 * an item must not change with it.
 */
export function focusWords(frame: StepFrame | undefined): readonly string[] {
  if (frame === undefined) return []
  const text = [
    frame.goal ?? '',
    frame.step ?? '',
    ...(frame.constraints ?? []).map((one) => asConstraint(one).text),
  ].join('\n')
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? []
  return [...new Set(words)].toSorted()
}
