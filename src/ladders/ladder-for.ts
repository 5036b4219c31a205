import type { Item, ItemKind, LadderMaker, Rendition } from '../core/index.ts'
import { fullRendition } from './full.ts'
import type { LadderOptions } from './ladder-options.ts'
import { mediaLadder } from './media.ts'
import { passageLadder } from './passage.ts'
import { reasoningLadder } from './reasoning.ts'
import { toolCallLadder } from './tool-call.ts'
import { toolResultLadder } from './tool-result.ts'
import { toolSchemaLadder } from './tool-schema.ts'

/**
 * A ladder for every kind of item that may be shown in more than one way; instructions and opaque blocks have none.
 * A new one is a new file and its line here.
 */
export const defaultLadders: { readonly [Kind in ItemKind]?: LadderMaker } = {
  'text': passageLadder,
  'evidence': passageLadder,
  'memory': passageLadder,
  'media': mediaLadder,
  'reasoning': reasoningLadder,
  'tool-call': toolCallLadder,
  'tool-result': toolResultLadder,
  'tool-schema': toolSchemaLadder,
}

/**
 * The renditions of an item, dearest first, each strictly cheaper than the one before. Pinned and frozen items and
 * opaque blocks have only `full`.
 */
export function ladderFor(item: Item, context: LadderOptions): readonly Rendition[] {
  const maker = item.pin === true || item.frozen === true ? undefined : defaultLadders[item.kind]
  return maker === undefined ? [fullRendition(item, context)] : maker(item, context)
}
