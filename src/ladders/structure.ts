import type { TextLines } from './text-lines.ts'

/**
 * The lines to show so that none seems to belong where it does not. A line between which and the one shown before it a
 * record, block, section or file begins that it stands in brings the line that begins it.
 */
export function withStructure({ depths }: Pick<TextLines, 'depths'>, keep: Uint8Array): Uint8Array {
  const shown = keep.slice()
  const openers = openersOf(depths)
  let last = -1
  for (let index = 0; index < keep.length; index++) {
    if (keep[index] !== 1 || Number.isNaN(depths[index])) continue
    if (last !== -1) {
      for (let opener = openers[index] ?? -1; opener > last; opener = openers[opener] ?? -1) shown[opener] = 1
    }
    last = index
  }
  return shown
}

/** The line that begins what each line stands in: the nearest before it that stands less deep; -1 without one. */
export function openersOf(depths: Float64Array): Int32Array {
  const openers = new Int32Array(depths.length).fill(-1)
  const stack: number[] = []
  for (let index = 0; index < depths.length; index++) {
    const depth = depths[index] ?? Number.NaN
    if (Number.isNaN(depth)) continue
    while (stack.length > 0 && (depths[stack.at(-1) ?? 0] ?? 0) >= depth) stack.pop()
    openers[index] = stack.at(-1) ?? -1
    stack.push(index)
  }
  return openers
}
