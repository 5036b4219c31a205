import type { Item } from '../core/index.ts'
import type { LadderOptions } from './ladder-options.ts'
import { referRepeats } from './refer-repeats.ts'
import type { Draft } from './renditions.ts'

/**
 * A result in which runs of lines that already stand in the visible context are references. That costs no cached byte and
 * loses nothing. A model's own calls are left as it wrote them.
 */
export function repeatsDrafts({ text }: Item, { conversation, count, handle, step }: LadderOptions): readonly Draft[] {
  const index = conversation?.shownLines
  if (index === undefined) return []
  const referred = referRepeats({ text, index, handle, step, brief: conversation?.brief, count })
  if (referred.references.length === 0 || conversation?.looksAfterEdit?.() === true) return []
  return [{ rung: 'lossless', text: referred.text, fidelity: 1, handle, references: referred.references }]
}
