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

/** The first elements of a list and what comes behind them, written once: a list that grows element by element is written three times. */
export function goneOn<Element>(list: readonly Element[], length: number, end: readonly Element[]): Element[] {
  return (length === list.length ? list : list.slice(0, length)).concat(end)
}

/** A call takes only so many arguments. */
const mostLists = 1000
const none: readonly never[] = []

/** The elements of some lists, one after the other. */
export function allOf<Element>(lists: readonly (readonly Element[])[]): readonly Element[] {
  if (lists.length <= mostLists) return (none as readonly Element[]).concat(...lists)
  const all: Element[] = []
  for (const list of lists) for (const element of list) all.push(element)
  return all
}

const blank: undefined[] = []

/** A list to fill in. */
export function blankList<Element>(length: number): (Element | undefined)[] {
  while (blank.length < length) blank.push(undefined)
  return blank.slice(0, length)
}

/** What two lists share without anything between: where it stands in the one and in the other, and how long it is. */
export interface SharedRun {
  readonly at: number
  readonly from: number
  readonly length: number
}

/** How far ahead an element is looked for: so many may have gone between two that stay. */
const nearby = 8

/**
 * What a list has of another one, in the order of both; what has moved far may be missed. So many at the front of both are known to be
 * the same.
 */
export function sharedRuns<Element>(
  list: readonly Element[],
  other: readonly Element[],
  front = 0,
): readonly SharedRun[] {
  const runs: SharedRun[] = []
  let at = 0
  let from: number | undefined = 0
  let length = front
  for (;;) {
    while (
      at + length < list.length &&
      from + length < other.length &&
      Object.is(list[at + length], other[from + length])
    )
      length += 1
    if (length > 0) runs.push({ at, from, length })
    at += length
    const place: number = from + length
    for (from = undefined; at < list.length; at += 1) {
      from = placeOf(list[at], other, place, other.length - list.length + at)
      if (from !== undefined) break
    }
    if (from === undefined) return runs
    length = 1
  }
}

/** Whether two lists are the same by what they share. */
export function isAll([first]: readonly SharedRun[], list: readonly unknown[], other: readonly unknown[]): boolean {
  return list.length === other.length && (first?.length ?? 0) === list.length
}

/** Where an element stands at or behind a place, if near it or as far from the end as in the list that it is of. */
function placeOf<Element>(
  element: Element,
  list: readonly Element[],
  place: number,
  fromEnd: number,
): number | undefined {
  const end = Math.min(place + nearby, list.length)
  for (let at = place; at < end; at += 1) if (Object.is(list[at], element)) return at
  return fromEnd > place && Object.is(list[fromEnd], element) ? fromEnd : undefined
}
