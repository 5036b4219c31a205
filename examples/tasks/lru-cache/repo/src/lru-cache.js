/** A cache of the entries that were used last. */
export class LruCache {
  constructor({ maxSize, ttlMs = Infinity, now = Date.now } = {}) {
    this.maxSize = maxSize
    this.ttlMs = ttlMs
    this.now = now
    this.entries = new Map()
    this.order = []
  }

  get size() {
    return this.entries.size
  }

  get(key) {
    const entry = this.entries.get(key)
    if (entry === undefined) return undefined
    if (this.now() - entry.setAt > this.ttlMs) {
      this.entries.delete(key)
      return undefined
    }
    entry.setAt = this.now()
    return entry.value
  }

  has(key) {
    return this.get(key) !== undefined
  }

  set(key, value) {
    this.entries.set(key, { value, setAt: this.now() })
    this.order.push(key)
    if (this.order.length >= this.maxSize) {
      const oldest = this.order.shift()
      this.entries.delete(oldest)
    }
    return this
  }

  delete(key) {
    return this.entries.delete(key)
  }

  clear() {
    this.entries.clear()
  }

  keys() {
    return [...this.entries.keys()].reverse()
  }
}
