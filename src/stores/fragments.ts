import type { DatabaseSync } from 'node:sqlite'

/** Lists kept as fragments; the numbers stand in the database and never change. */
export const fragmentKinds = { item: 0, entry: 1, decision: 2, policy: 3 } as const
type FragmentKind = (typeof fragmentKinds)[keyof typeof fragmentKinds]

/** Runs of fragment numbers: first, count, first, count, … */
export type Ranges = readonly number[]

interface KnownFragment {
  readonly number: number
  readonly json: string
  /** The value that was written; its owner may let it go. */
  readonly value: WeakRef<object>
}

interface KnownList {
  readonly next: number
  readonly fragments: readonly KnownFragment[]
}

/** What the lists of one session last looked like, so that only what is new is written. */
export type KnownLists = Map<FragmentKind, KnownList>

export interface ListToWrite<Value extends object> {
  readonly sessionId: number
  readonly kind: FragmentKind
  readonly known: KnownLists
  readonly values: readonly Value[]
  readonly encode: (value: Value, index: number) => string
  /** Called for a value that was not there before. */
  readonly added?: (value: Value, index: number) => void
}

export interface FragmentTable {
  /** Writes what is new of a list and gives the ranges under which all of it is found. */
  write<Value extends object>(list: ListToWrite<Value>): Ranges
  read(sessionId: number, kind: FragmentKind, ranges: Ranges): string[]
}

export function fragmentTable(db: DatabaseSync): FragmentTable {
  const insert = db.prepare('INSERT INTO fragments (session_id, kind, number, value) VALUES (?, ?, ?, ?)')
  const last = db.prepare('SELECT max(number) AS number FROM fragments WHERE session_id = ? AND kind = ?')
  const select = db.prepare(
    'SELECT value FROM fragments WHERE session_id = ? AND kind = ? AND number >= ? AND number < ? ORDER BY number',
  )

  const open = (sessionId: number, kind: FragmentKind): KnownList => {
    const number = last.get(sessionId, kind)?.['number']
    return { next: typeof number === 'number' ? number + 1 : 0, fragments: [] }
  }

  const write = <Value extends object>(list: ListToWrite<Value>): Ranges => {
    const before = list.known.get(list.kind) ?? open(list.sessionId, list.kind)
    let next = before.next
    const fragments = list.values.map((value, index) => {
      const known = before.fragments[index]
      if (known?.value.deref() === value) return known
      const json = list.encode(value, index)
      if (known?.json === json) return known
      insert.run(list.sessionId, list.kind, next, json)
      list.added?.(value, index)
      next += 1
      return { number: next - 1, json, value: new WeakRef(value) }
    })
    list.known.set(list.kind, { next, fragments })
    return toRanges(fragments)
  }

  const read = (sessionId: number, kind: FragmentKind, ranges: Ranges): string[] => {
    const found: string[] = []
    for (let at = 0; at < ranges.length; at += 2) {
      const first = ranges[at] ?? 0
      const rows = select.all(sessionId, kind, first, first + (ranges[at + 1] ?? 0))
      found.push(...rows.map((row) => String(row['value'])))
    }
    return found
  }

  return { write, read }
}

/** Rough size of what is remembered, in characters. */
export function knownSize(known: KnownLists): number {
  let size = 0
  for (const list of known.values()) {
    for (const fragment of list.fragments) size += fragment.json.length + 64
  }
  return size
}

function toRanges(fragments: readonly KnownFragment[]): Ranges {
  const ranges: number[] = []
  for (const { number } of fragments) {
    const at = ranges.length - 2
    const first = ranges[at]
    const count = ranges[at + 1]
    if (first !== undefined && count !== undefined && first + count === number) ranges[at + 1] = count + 1
    else ranges.push(number, 1)
  }
  return ranges
}
