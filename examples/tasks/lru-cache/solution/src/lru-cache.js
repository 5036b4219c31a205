/** A cache of the entries that were used last: a Map keeps the order, the oldest first. */
export class LruCache {
  #entries = new Map()
  #size = 0

  constructor({ maxSize, ttlMs = Infinity, now = Date.now, sizeOf = () => 1, onEvict = () => undefined } = {}) {
    if (typeof maxSize !== 'number' || !(maxSize > 0)) throw new RangeError('maxSize must be a number above 0')
    Object.assign(this, { maxSize, ttlMs, now, sizeOf, onEvict })
  }

  get size() {
    this.#dropOld()
    return this.#size
  }

  get(key) {
    const entry = this.#fresh(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  peek(key) {
    return this.#fresh(key)?.value
  }

  has(key) {
    return this.#fresh(key) !== undefined
  }

  set(key, value) {
    const size = this.sizeOf(value, key)
    if (typeof size !== 'number' || !(size >= 0)) throw new RangeError('sizeOf must give a number from 0 on')
    const gone = []
    const before = this.#fresh(key)
    if (before !== undefined) gone.push([key, this.#take(key).value, 'replaced'])
    if (size <= this.maxSize) {
      while (this.#size + size > this.maxSize) {
        const [oldest] = this.#entries.keys()
        gone.push([oldest, this.#take(oldest).value, 'size'])
      }
      this.#entries.set(key, { value, size, setAt: this.now() })
      this.#size += size
    }
    for (const one of gone) this.onEvict(...one)
    return this
  }

  delete(key) {
    if (this.#fresh(key) === undefined) return false
    this.onEvict(key, this.#take(key).value, 'deleted')
    return true
  }

  clear() {
    const all = [...this.#entries]
    this.#entries.clear()
    this.#size = 0
    for (const [key, { value }] of all) this.onEvict(key, value, 'deleted')
  }

  keys() {
    this.#dropOld()
    return [...this.#entries.keys()].reverse()
  }

  #take(key) {
    const entry = this.#entries.get(key)
    this.#entries.delete(key)
    this.#size -= entry.size
    return entry
  }

  #fresh(key) {
    const entry = this.#entries.get(key)
    if (entry === undefined || this.now() - entry.setAt < this.ttlMs) return entry
    this.onEvict(key, this.#take(key).value, 'ttl')
    return undefined
  }

  #dropOld() {
    if (this.ttlMs === Infinity) return
    for (const key of [...this.#entries.keys()]) this.#fresh(key)
  }
}
