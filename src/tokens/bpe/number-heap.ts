/** A binary min-heap of plain numbers. */
export class NumberHeap {
  readonly #keys: number[] = []

  get size(): number {
    return this.#keys.length
  }

  push(key: number): void {
    const keys = this.#keys
    let at = keys.length
    keys.push(key)
    while (at > 0) {
      const parent = (at - 1) >> 1
      const above = keys[parent] as number
      if (above <= key) break
      keys[at] = above
      at = parent
    }
    keys[at] = key
  }

  /** Removes the smallest key; the heap must not be empty. */
  pop(): number {
    const keys = this.#keys
    const smallest = keys[0] as number
    const key = keys.pop() as number
    if (keys.length > 0) this.#sink(key)
    return smallest
  }

  #sink(key: number): void {
    const keys = this.#keys
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= keys.length) break
      if (child + 1 < keys.length && (keys[child + 1] as number) < (keys[child] as number)) child += 1
      const below = keys[child] as number
      if (below >= key) break
      keys[at] = below
      at = child
    }
    keys[at] = key
  }
}
