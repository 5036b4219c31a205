/** The values by their keys, in order, as `Map.groupBy` does in newer runtimes. */
export function grouped<Value, Key>(values: Iterable<Value>, keyOf: (value: Value) => Key): ReadonlyMap<Key, Value[]> {
  const groups = new Map<Key, Value[]>()
  for (const value of values) {
    const key = keyOf(value)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [value])
    else group.push(value)
  }
  return groups
}
