import type { FragmentRows, Ranges, WantedList } from '../kernel/table.ts'
import type { Fragment } from '../rows/known-lists.ts'
import { listKinds } from '../tables/list-kinds.ts'
import type { Statements } from './connection.ts'
import type { TextWrites } from './texts.ts'

/** Keeps what is new of a list, as one row. */
export function putFragment(
  { ask }: Statements,
  {
    sessionId,
    texts,
    fragment,
  }: { readonly sessionId: number; readonly texts: TextWrites; readonly fragment: Fragment },
): void {
  const { kind, first, strings, texts: apart } = fragment
  let elements = strings[0] ?? ''
  for (const [index, text] of apart.entries()) elements += texts.put(sessionId, text) + strings[index + 1]
  void ask('INSERT INTO fragments (session_id, kind, number, elements) VALUES ($1, $2, $3, $4)', [
    sessionId,
    kind,
    first,
    elements,
  ])
}

/** The numbers that the next elements of a session's lists get, by kind. */
export async function nextNumbers({ ask }: Statements, sessionId: number): Promise<number[]> {
  const { rows } = await ask(
    `SELECT DISTINCT ON (kind) kind, number, elements FROM fragments WHERE session_id = $1 ORDER BY kind, number DESC`,
    [sessionId],
  )
  const next = new Map(rows.map((row) => [Number(row['kind']), Number(row['number']) + elementsOf(row).length]))
  return Object.values(listKinds).map((kind) => next.get(kind) ?? 0)
}

/** Reads the rows that hold the wanted elements; what is given back finds them there. */
export async function readFragments(
  { ask }: Statements,
  sessionId: number,
  wanted: readonly WantedList[],
): Promise<FragmentRows> {
  const runs = wanted.flatMap(([kind, ranges]) => runsOf(ranges).map((run) => ({ kind, ...run })))
  const lists = new Map<number, Map<number, unknown>>()
  if (runs.length > 0) {
    const { rows } = await ask(
      `SELECT fragments.kind, number, elements FROM unnest($2::int[], $3::int[], $4::int[]) AS run (kind, first, stop)
       JOIN fragments ON session_id = $1 AND fragments.kind = run.kind AND number < stop AND number >=
         (SELECT max(number) FROM fragments WHERE session_id = $1 AND kind = run.kind AND number <= first)`,
      [sessionId, runs.map(({ kind }) => kind), runs.map(({ first }) => first), runs.map(({ stop }) => stop)],
    )
    for (const row of rows) {
      const kind = Number(row['kind'])
      const list = lists.get(kind) ?? new Map<number, unknown>()
      lists.set(kind, list)
      for (const [at, element] of elementsOf(row).entries()) list.set(Number(row['number']) + at, element)
    }
  }
  return {
    read: <Value>(_: number, kind: number, ranges: Ranges): Value[] =>
      runsOf(ranges).flatMap(({ first, stop }) => {
        const list = lists.get(kind)
        return Array.from({ length: stop - first }, (__, at) => list?.get(first + at) as Value)
      }),
  }
}

function runsOf(ranges: Ranges): { readonly first: number; readonly stop: number }[] {
  const runs: { first: number; stop: number }[] = []
  for (let at = 0; at < ranges.length; at += 2) {
    const first = ranges[at] ?? 0
    runs.push({ first, stop: first + (ranges[at + 1] ?? 0) })
  }
  return runs
}

function elementsOf(row: Readonly<Record<string, unknown>>): readonly unknown[] {
  return JSON.parse(String(row['elements'])) as readonly unknown[]
}
