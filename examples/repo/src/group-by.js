/**
 * Groups in the order in which the keys first appear.
 *
 * @template T
 * @param {Iterable<T>} values
 * @param {(value: T) => string} keyOf
 * @returns {Map<string, T[]>}
 */
export function groupBy(values, keyOf) {
  const groups = new Map()
  for (const value of values) {
    const key = keyOf(value)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [value])
    else group.push(value)
  }
  return groups
}

/** Compares by code unit, so that the report is the same on every machine. */
export function compareText(a, b) {
  return a < b ? -1 : a > b ? 1 : 0
}
