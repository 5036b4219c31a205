import type { DatabaseSync } from 'node:sqlite'

/** Lists kept as fragments; the numbers stand in the database and never change. */
export const fragmentKinds = { item: 0, entry: 1, decision: 2, section: 3, overlay: 4, body: 5 } as const
export type FragmentKind = (typeof fragmentKinds)[keyof typeof fragmentKinds]

/** Runs of element numbers: first, count, first, count, … */
export type Ranges = readonly number[]

interface KnownElement {
  readonly number: number
  readonly json: string
  readonly value: object
}

interface KnownList {
  readonly next: number
  readonly elements: readonly KnownElement[]
}

/** What the lists of one session last looked like, so that only what is new is written. */
export type KnownLists = Map<FragmentKind, KnownList>

export interface ListToWrite<Value extends object> {
  readonly sessionId: number
  readonly kind: FragmentKind
  readonly known: KnownLists
  readonly values: readonly Value[]
  readonly encode: (value: Value) => string
  /** Tells what is the same without writing it out. */
  readonly isSame?: (known: object, value: Value) => boolean
  /** Called for a value that was not there before. */
  readonly added?: (value: Value) => void
}

export interface FragmentTable {
  /** Writes what is new of a list, as one row, and gives the ranges under which all of it is found. */
  write<Value extends object>(list: ListToWrite<Value>): Ranges
  read<Value>(sessionId: number, kind: FragmentKind, ranges: Ranges): Value[]
}

export function fragmentTable(db: DatabaseSync): FragmentTable {
  const insert = db.prepare('INSERT INTO fragments (session_id, kind, number, elements) VALUES (?, ?, ?, ?)')
  const last = db.prepare(
    'SELECT number, elements FROM fragments WHERE session_id = ? AND kind = ? ORDER BY number DESC LIMIT 1',
  )
  const select = db.prepare(
    `SELECT number, elements FROM fragments WHERE session_id = ?1 AND kind = ?2 AND number < ?4 AND number >=
       (SELECT max(number) FROM fragments WHERE session_id = ?1 AND kind = ?2 AND number <= ?3)
     ORDER BY number`,
  )

  const open = (sessionId: number, kind: FragmentKind): KnownList => {
    const row = last.get(sessionId, kind)
    const next = row ? Number(row['number']) + (JSON.parse(String(row['elements'])) as unknown[]).length : 0
    return { next, elements: [] }
  }

  const write = <Value extends object>(list: ListToWrite<Value>): Ranges => {
    const before = list.known.get(list.kind) ?? open(list.sessionId, list.kind)
    const fresh: string[] = []
    const elements = list.values.map((value, index) => {
      const known = before.elements[index]
      if (known && (known.value === value || list.isSame?.(known.value, value) === true)) return known
      const json = list.encode(value)
      if (known?.json === json) return known
      fresh.push(json)
      list.added?.(value)
      return { number: before.next + fresh.length - 1, json, value }
    })
    if (fresh.length > 0) insert.run(list.sessionId, list.kind, before.next, `[${fresh.join(',')}]`)
    list.known.set(list.kind, { next: before.next + fresh.length, elements })
    return toRanges(elements)
  }

  const readRun = <Value>(sessionId: number, kind: FragmentKind, first: number, end: number): Value[] =>
    select.all(sessionId, kind, first, end).flatMap((row) => {
      const number = Number(row['number'])
      const elements = JSON.parse(String(row['elements'])) as Value[]
      return elements.slice(Math.max(0, first - number), end - number)
    })

  const read = <Value>(sessionId: number, kind: FragmentKind, ranges: Ranges): Value[] => {
    const found: Value[] = []
    for (let at = 0; at < ranges.length; at += 2) {
      const first = ranges[at] ?? 0
      for (const value of readRun<Value>(sessionId, kind, first, first + (ranges[at + 1] ?? 0))) found.push(value)
    }
    return found
  }

  return { write, read }
}

/** Lists of a session that has just been made: there is nothing to look up. */
export function noLists(): KnownLists {
  const empty: KnownList = { next: 0, elements: [] }
  return new Map(Object.values(fragmentKinds).map((kind) => [kind, empty]))
}

/** Rough size of what is remembered, in characters, the texts of items included. */
export function knownSize(known: KnownLists): number {
  let size = 0
  for (const list of known.values()) {
    for (const { json, value } of list.elements) {
      size += json.length + 64 + ('text' in value && typeof value.text === 'string' ? value.text.length : 0)
    }
  }
  return size
}

function toRanges(elements: readonly KnownElement[]): Ranges {
  const ranges: number[] = []
  for (const { number } of elements) {
    const at = ranges.length - 2
    const first = ranges[at]
    const count = ranges[at + 1]
    if (first !== undefined && count !== undefined && first + count === number) ranges[at + 1] = count + 1
    else ranges.push(number, 1)
  }
  return ranges
}
