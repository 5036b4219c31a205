import { sameAtFront } from '../items/same-elements.ts'

/** What is made of each element of a list; the same list where the elements are. */
export type ListMapper<From, To> = (list: readonly From[]) => readonly To[]

/**
 * For lists that come one after another and share much: what stands at either end as it stood in the list before is taken over.
 * `make` gives the same for the same element, whenever it is asked.
 */
export function listMapper<From, To>(make: (from: From) => To): ListMapper<From, To> {
  let last: readonly From[] = []
  let made: readonly To[] = []
  return (list) => {
    const front = sameAtFront(list, last)
    if (front === list.length && front === last.length) return made
    const back = sameAtBack(list, last, front)
    const between: To[] = []
    for (let at = front; at < list.length - back; at += 1) between.push(make(list[at] as From))
    made = made.slice(0, front).concat(between, made.slice(made.length - back))
    last = list
    return made
  }
}

/** What is the same at the front is not counted again. */
function sameAtBack<Element>(list: readonly Element[], last: readonly Element[], front: number): number {
  const most = Math.min(list.length, last.length) - front
  let same = 0
  while (same < most && Object.is(list[list.length - 1 - same], last[last.length - 1 - same])) same += 1
  return same
}
