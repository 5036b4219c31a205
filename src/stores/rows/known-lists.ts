import type { Ranges, Written } from '../kernel/table.ts'

interface KnownElement extends Written {
  readonly number: number
  readonly value: object
}

/** What a list of a session last looked like, so that only what is new is written. */
export interface KnownList {
  readonly next: number
  readonly elements: readonly KnownElement[]
}

/** New elements of a list, from the number `first` on: a JSON array with the hash of a text after each string but the last. */
export interface Fragment {
  readonly kind: number
  readonly first: number
  readonly strings: readonly string[]
  readonly texts: readonly string[]
}

/** What became of what was known. */
export interface Change<Known> {
  readonly known: Known
  /** Absent where nothing is new. */
  readonly fragment?: Fragment
  /** Where all of it is found. */
  readonly ranges: Ranges
}

/** Lists of a session that has just been made. */
export const emptyList: KnownList = { next: 0, elements: [] }

/** What is new of a list against what it was. Values never change; those that are the same are not written out. */
export function changeList<Value extends object>(
  kind: number,
  before: KnownList,
  values: readonly Value[],
  write: (value: Value) => Written,
): Change<KnownList> {
  const fresh: KnownElement[] = []
  const elements = values.map((value, index) => {
    const known = before.elements[index]
    if (known?.value === value) return known
    const written = write(value)
    if (known?.json === written.json && known.text === written.text) return known
    const element = { ...written, number: before.next + fresh.length, value }
    fresh.push(element)
    return element
  })
  return {
    known: { next: before.next + fresh.length, elements },
    ranges: toRanges(elements),
    ...(fresh.length > 0 && { fragment: toFragment(kind, before.next, fresh) }),
  }
}

/** A list that only grows: what stands in it is not remembered. */
export function appended(kind: number, { next }: KnownList, values: readonly Written[]): Change<KnownList> {
  return {
    known: { next: next + values.length, elements: [] },
    ranges: values.length === 0 ? [] : [next, values.length],
    ...(values.length > 0 && { fragment: toFragment(kind, next, values) }),
  }
}

/** Rough size of what is remembered, in characters, the texts of items included. */
export function sizeOf({ elements }: KnownList): number {
  return elements.reduce((size, { json, text = '' }) => size + json.length + text.length + 64, 0)
}

export function toFragment(kind: number, first: number, elements: readonly Written[]): Fragment {
  const strings: string[] = []
  const texts: string[] = []
  let open = '['
  for (const [index, { json, text }] of elements.entries()) {
    if (index > 0) open += ','
    if (text === undefined) {
      open += json
      continue
    }
    strings.push(`${open}${json.slice(0, -1)}${json === '{}' ? '' : ','}"textHash":"`)
    texts.push(text)
    open = '"}'
  }
  return { kind, first, strings: [...strings, `${open}]`], texts }
}

export function toRanges(elements: readonly { readonly number: number }[]): Ranges {
  const ranges: number[] = []
  let first = 0
  let count = 0
  for (const { number } of elements) {
    if (number === first + count) {
      count += 1
      continue
    }
    if (count > 0) ranges.push(first, count)
    first = number
    count = 1
  }
  if (count > 0) ranges.push(first, count)
  return ranges
}
