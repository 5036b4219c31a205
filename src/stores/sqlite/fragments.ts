import type { DatabaseSync } from 'node:sqlite'
import type { FragmentRows } from '../kernel/table.ts'
import type { Fragment } from '../rows/known-lists.ts'
import { listKinds } from '../tables/list-kinds.ts'
import type { TextTable } from './texts.ts'

export interface FragmentTable extends FragmentRows {
  /** Keeps what is new of a list, as one row. */
  put(sessionId: number, fragment: Fragment): void
  /** The numbers that the next elements of a session's lists get, by kind. */
  next(sessionId: number): number[]
}

export function fragmentTable(db: DatabaseSync, texts: TextTable): FragmentTable {
  const insert = db.prepare('INSERT INTO fragments (session_id, kind, number, elements) VALUES (?, ?, ?, ?)')
  const last = db.prepare(
    'SELECT number, elements FROM fragments WHERE session_id = ? AND kind = ? ORDER BY number DESC LIMIT 1',
  )
  const select = db.prepare(
    `SELECT number, elements FROM fragments WHERE session_id = ? AND kind = ? AND number < ? AND number >=
       (SELECT max(number) FROM fragments WHERE session_id = ? AND kind = ? AND number <= ?)
     ORDER BY number`,
  )

  const nextOf = (sessionId: number, kind: number): number => {
    const row = last.get(sessionId, kind)
    return row ? Number(row['number']) + (JSON.parse(String(row['elements'])) as unknown[]).length : 0
  }

  const readRun = <Value>(sessionId: number, kind: number, first: number, end: number): Value[] =>
    select.all(sessionId, kind, end, sessionId, kind, first).flatMap((row) => {
      const number = Number(row['number'])
      const elements = JSON.parse(String(row['elements'])) as Value[]
      return elements.slice(Math.max(0, first - number), end - number)
    })

  return {
    put(sessionId, { kind, first, strings, texts: apart }) {
      let elements = strings[0] ?? ''
      for (const [index, text] of apart.entries()) elements += texts.put(sessionId, text).hash + strings[index + 1]
      insert.run(sessionId, kind, first, elements)
    },
    next: (sessionId) => Object.values(listKinds).map((kind) => nextOf(sessionId, kind)),
    read<Value>(sessionId: number, kind: number, ranges: readonly number[]): Value[] {
      const found: Value[] = []
      for (let at = 0; at < ranges.length; at += 2) {
        const first = ranges[at] ?? 0
        for (const value of readRun<Value>(sessionId, kind, first, first + (ranges[at + 1] ?? 0))) found.push(value)
      }
      return found
    },
  }
}
