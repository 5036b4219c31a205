export function openIds() {
  const counters = {}

  /** `book-1`, `book-2` and so on. */
  function nextId(kind) {
    counters[kind] = (counters[kind] ?? 0) + 1
    return `${kind}-${counters[kind]}`
  }
  return nextId
}
