import type { SummaryMode, SummaryPolicy } from '../../core/index.ts'

/** Blocks that one summary stands for: from `first` on, so many. */
export interface Segment {
  readonly first: number
  readonly blocks: number
}

const usualBlock = 5
const usualFold = 5

/** Turns of a block. */
export function turnsOfBlock({ blockTurns = usualBlock }: SummaryPolicy): number {
  return blockTurns
}

/**
 * Which summaries stand for so many complete blocks. Of a pyramid only its frontier: of each level the summaries that no higher one has
 * taken in, so at most one less than are folded, and levels grow with the logarithm of the blocks.
 */
export function segmentsOf(
  blocks: number,
  mode: SummaryMode,
  { foldBlocks = usualFold }: SummaryPolicy,
): readonly Segment[] {
  if (blocks <= 0 || mode === 'off') return []
  if (mode === 'checkpoint') return Array.from({ length: blocks }, (_, first) => ({ first, blocks: 1 }))
  if (mode === 'oneshot' || mode === 'rolling') return [{ first: 0, blocks }]
  return frontier(blocks, foldBlocks)
}

function frontier(blocks: number, fold: number): readonly Segment[] {
  const found: Segment[] = []
  let size = 1
  while (size * fold <= blocks) size *= fold
  for (let first = 0; first < blocks;) {
    if (first + size > blocks) size /= fold
    else {
      found.push({ first, blocks: size })
      first += size
    }
  }
  return found
}
