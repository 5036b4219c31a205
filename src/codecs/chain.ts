/** A list that grows at its end; older versions stay as they are, and to grow costs the same at any length. */
export interface Chain<Value> {
  readonly last: Value
  readonly before: Chain<Value> | undefined
}

export function inOrder<Value>(chain: Chain<Value> | undefined): readonly Value[] {
  const values: Value[] = []
  for (let link = chain; link; link = link.before) values.push(link.last)
  return values.toReversed()
}

/** What is made of all values of a chain, worked out once for each version that it is asked of. */
export function ofChain<Value, Result>(
  work: (values: readonly Value[]) => Result,
): (chain: Chain<Value> | undefined) => Result {
  const known = new WeakMap<Chain<Value>, Result>()
  return (chain) => {
    const found = chain && known.get(chain)
    if (found !== undefined) return found
    const result = work(inOrder(chain))
    if (chain) known.set(chain, result)
    return result
  }
}
