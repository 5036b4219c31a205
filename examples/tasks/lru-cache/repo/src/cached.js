import { LruCache } from './lru-cache.js'

/** A function that remembers its results by its first argument. */
export function cached(compute, options = {}) {
  const cache = new LruCache({ maxSize: 100, ...options })
  return (argument) => {
    if (cache.has(argument)) return cache.get(argument)
    const value = compute(argument)
    cache.set(argument, value)
    return value
  }
}
