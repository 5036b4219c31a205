/** A function that remembers its results, by the very arguments. */
export function memoize(compute) {
  const root = new Map()
  return (...given) => {
    let place = root
    for (const argument of given) {
      if (!place.has(argument)) place.set(argument, new Map())
      place = place.get(argument)
    }
    if (!place.has(result)) place.set(result, compute(...given))
    return place.get(result)
  }
}

/** The key of a result beside those of further arguments. */
const result = Symbol('result')
