/** An equal value of its own, and nobody can change it or anything in it. */
export function frozenCopy<Value>(value: Value): Value {
  return frozen(copyOf(value))
}

function copyOf<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copyOf) as Value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copyOf(member)])) as Value
}

/** The same value, and nobody can change it or anything in it. */
export function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const member of Object.values(value)) frozen(member)
  return Object.freeze(value)
}
