import { allOf, isAll, sharedRuns } from './same-elements.ts'

/** What is made of each element of a list; the same list where the elements are. */
export type ListMapper<From, To> = (list: readonly From[]) => readonly To[]

/**
 * For lists that come one after another and share much: what stands in the list before is taken over from it, though something before it
 * has come or gone. `make` gives the same for the same element, whenever it is asked.
 */
export function listMapper<From, To>(make: (from: From) => To): ListMapper<From, To> {
  let last: readonly From[] = []
  let made: readonly To[] = []
  return (list) => {
    const runs = sharedRuns(list, last)
    if (isAll(runs, list, last)) return made
    const parts: (readonly To[])[] = []
    let next = 0
    for (const { at, from, length } of runs) {
      if (next < at) parts.push(list.slice(next, at).map(make))
      parts.push(made.slice(from, from + length))
      next = at + length
    }
    parts.push(list.slice(next).map(make))
    last = list
    made = allOf(parts)
    return made
  }
}

/** The same where several are made of each: all of them in one list. */
export function flatListMapper<From, To>(
  make: (from: From, at: number) => readonly To[],
): (list: readonly From[]) => readonly To[] {
  let last: readonly From[] = []
  let made: readonly To[] = []
  /** Where what is made of each begins, and the end. */
  let starts = [0]
  return (list) => {
    const parts: (readonly To[])[] = []
    const next = [0]
    let end = 0
    const add = (from: number, to: number): void => {
      const own: To[] = []
      for (let at = from; at < to; at += 1) {
        for (const one of make(list[at] as From, at)) own.push(one)
        next.push(end + own.length)
      }
      parts.push(own)
      end += own.length
    }
    let done = 0
    for (const { at, from, length } of sharedRuns(list, last)) {
      add(done, at)
      const start = starts[from] ?? 0
      parts.push(made.slice(start, starts[from + length]))
      const moved = end - start
      for (let place = from + 1; place <= from + length; place += 1) next.push((starts[place] ?? 0) + moved)
      end = next.at(-1) ?? 0
      done = at + length
    }
    add(done, list.length)
    last = list
    starts = next
    made = allOf(parts)
    return made
  }
}
