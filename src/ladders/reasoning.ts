import type { LadderMaker } from '../core/index.ts'
import { fullRendition } from './full.ts'
import { pointer } from './marker.ts'
import { measured } from './renditions.ts'

/** Reasoning without a signature is shown or folded: half a thought misleads. */
export const reasoningLadder: LadderMaker = (item, context) => {
  const { handle } = context
  const draft = { rung: 'pointer' as const, text: pointer(handle, 'ok'), fidelity: 0.01, handle }
  return measured(fullRendition(item, context), [draft], context)
}
