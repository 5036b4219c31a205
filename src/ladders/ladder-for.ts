import type { Item, ItemKind, LadderMaker, Rendition } from '../core/index.ts'
import type { LadderOptions } from './ladder-options.ts'
import { fullRendition } from './full.ts'
import { toolResultLadder } from './tool-result.ts'

/** A ladder for every kind of item that may be shown in more than one way. A new one is a new file and its line here. */
export const defaultLadders: { readonly [Kind in ItemKind]?: LadderMaker } = {
  'tool-result': toolResultLadder,
}

/**
 * The renditions of an item, dearest first, each strictly cheaper than the one before. Pinned and frozen items, media and
 * opaque blocks have only `full`.
 */
export function ladderFor(item: Item, context: LadderOptions): readonly Rendition[] {
  const maker = item.pin === true || item.frozen === true ? undefined : defaultLadders[item.kind]
  return maker === undefined ? [fullRendition(item, context)] : maker(item, context)
}
