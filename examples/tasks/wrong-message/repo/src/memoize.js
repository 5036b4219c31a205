/** A function that remembers its results. */
export function memoize(compute) {
  const results = {}
  return (...given) => {
    const key = given.join('')
    if (!(key in results)) results[key] = compute(...given)
    return results[key]
  }
}
