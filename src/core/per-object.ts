/**
 * Computes a value once per object and forgets it with the object. Objects count as values: after a change in place the first value stays.
 *
 * @example
 * ```ts
 * const wordsOf = perObject((item: Item) => item.text.split(' '))
 * ```
 */
export function perObject<Of extends object, Value>(compute: (of: Of) => Value): (of: Of) => Value {
  const computed = new WeakMap<Of, Value>()
  return (of) => {
    const before = computed.get(of)
    if (before !== undefined || computed.has(of)) return before as Value
    const value = compute(of)
    computed.set(of, value)
    return value
  }
}

/**
 * The same for values that depend on a key besides the object, such as the text that stood in it: only the value of the newest key is
 * remembered.
 */
export function perObjectAndKey<Of extends object, Value>(): (
  of: Of,
  key: unknown,
  compute: (of: Of) => Value,
) => Value {
  const computed = new WeakMap<Of, { readonly key: unknown; readonly value: Value }>()
  return (of, key, compute) => {
    const before = computed.get(of)
    if (before?.key === key && before !== undefined) return before.value
    const value = compute(of)
    computed.set(of, { key, value })
    return value
  }
}
