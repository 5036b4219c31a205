import type { TextLines } from './text-lines.ts'

/**
 * The lines to show so that none seems to belong where it does not: where a reader would take a shown line for part of
 * the wrong record, block, section or file, because the line that opens its own is folded, that line is shown too.
 */
export function withStructure({ depths }: Pick<TextLines, 'depths'>, keep: Uint8Array): Uint8Array {
  const shown = Uint8Array.from(keep)
  const parents = parentsOf(depths)
  const stack: number[] = []
  for (let index = 0; index < shown.length; index++) {
    const depth = depths[index] ?? Number.NaN
    if (keep[index] !== 1 || Number.isNaN(depth)) continue
    popTo(stack, depths, depth)
    for (const parent of missingParents(index, parents, stack.at(-1))) {
      shown[parent] = 1
      popTo(stack, depths, depths[parent] ?? 0)
      stack.push(parent)
    }
    stack.push(index)
  }
  return shown
}

/** The lines that open what each line stands in: the nearest line before it that stands less deep; -1 without one. */
function parentsOf(depths: Float64Array): Int32Array {
  const parents = new Int32Array(depths.length).fill(-1)
  const stack: number[] = []
  for (let index = 0; index < depths.length; index++) {
    const depth = depths[index] ?? Number.NaN
    if (Number.isNaN(depth)) continue
    popTo(stack, depths, depth)
    parents[index] = stack.at(-1) ?? -1
    stack.push(index)
  }
  return parents
}

/** Leaves only lines that stand less deep than `depth`. */
function popTo(stack: number[], depths: Float64Array, depth: number): void {
  while (stack.length > 0 && (depths[stack.at(-1) ?? 0] ?? 0) >= depth) stack.pop()
}

/** Openers of a line, outermost first, down from the one that a reader already takes for its opener. */
function missingParents(index: number, parents: Int32Array, taken: number | undefined): readonly number[] {
  if (taken === undefined) return []
  const missing: number[] = []
  let parent = parents[index] ?? -1
  while (parent > taken) {
    missing.push(parent)
    parent = parents[parent] ?? -1
  }
  return missing.toReversed()
}
