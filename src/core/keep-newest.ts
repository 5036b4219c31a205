/** A map that gives its keys in the order in which they were put in. */
interface OrderedMap<Key> {
  readonly size: number
  keys(): Iterable<Key>
  delete(key: Key): unknown
}

/** Removes what was put into a map first until it holds no more than `most`: what is put in anew is deleted before. */
export function keepNewest<Key>(map: OrderedMap<Key>, most: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= most) return
    map.delete(oldest)
  }
}
