/**
 * How many elements two lists have in common at the front, told by identity. `Object.is` does not look into what is the same object, here and wherever
 * lists are compared at every request; `===` does, and texts and objects lie anywhere in memory.
 */
export function sameAtFront<Element>(list: readonly Element[], other: readonly Element[]): number {
  const most = Math.min(list.length, other.length)
  let same = 0
  while (same < most && Object.is(list[same], other[same])) same += 1
  return same
}

/** Whether two lists have the same elements. */
export function hasSameElements<Element>(list: readonly Element[], other: readonly Element[]): boolean {
  return list === other || (list.length === other.length && sameAtFront(list, other) === list.length)
}
