/** The best of a list whose entries change one at a time. */
export interface Tournament<Entry> {
  /** Undefined where no entry takes part. */
  best(): Entry | undefined
  /** From now on `entry` stands at `index`; undefined takes no part. */
  replace(index: number, entry: Entry | undefined): void
}

/**
 * Compares as many pairs as there are entries once, and the logarithm of that for each change. `isBetter` is a total order: which of two
 * wins does not depend on where they stand.
 */
export function tournament<Entry>(
  entries: readonly (Entry | undefined)[],
  isBetter: (a: Entry, b: Entry) => boolean,
): Tournament<Entry> {
  const size = entries.length
  // Winners of pairs below, the entries themselves in the upper half; the winner of all stands at 1.
  const nodes: (Entry | undefined)[] = Array.from({ length: 2 * size })
  const better = (a: Entry | undefined, b: Entry | undefined): Entry | undefined =>
    a === undefined || (b !== undefined && isBetter(b, a)) ? b : a
  const settle = (node: number): void => {
    nodes[node] = better(nodes[2 * node], nodes[2 * node + 1])
  }
  for (let index = 0; index < size; index += 1) nodes[size + index] = entries[index]
  for (let node = size - 1; node > 0; node -= 1) settle(node)
  return {
    best: () => nodes[1],
    replace(index, entry) {
      nodes[size + index] = entry
      for (let node = (size + index) >> 1; node > 0; node >>= 1) settle(node)
    },
  }
}
