/** An equal value of its own, and nobody can change it or anything in it. */
export function frozenCopy<Value>(value: Value): Value {
  return frozen(copyOf(value))
}

function copyOf<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copyOf) as Value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copyOf(member)])) as Value
}

/** Whether nobody can change the value or anything in it, now or later. */
export function isFixed(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return Object.isFrozen(value) && Object.values(value).every(isFixed)
}

/** The same value, and nobody can change it or anything in it. */
export function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const member of Object.values(value)) frozen(member)
  return Object.freeze(value)
}
