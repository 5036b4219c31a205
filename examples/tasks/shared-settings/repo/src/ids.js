const counters = {}

/** `book-1`, `book-2` and so on. */
export function nextId(kind) {
  counters[kind] = (counters[kind] ?? 0) + 1
  return `${kind}-${counters[kind]}`
}
