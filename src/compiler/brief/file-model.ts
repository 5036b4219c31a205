import { alignment } from './alignment.ts'
import type { LinePair } from './alignment.ts'

/** One line of a file as it was last seen. */
export interface Row {
  readonly text: string
  /** The step that has changed it; 0 where none has. */
  readonly edited: number
}

/** Lines that stand one after the other. */
export interface Run {
  /** The number of the first line; unknown of what was only seen in an edit. */
  readonly first?: number
  readonly rows: readonly Row[]
}

/** What is known of a file: runs whose place is known in order, then the others. */
export interface FileModel {
  readonly runs: readonly Run[]
  /** The step that wrote it whole; 0 where none did. */
  readonly written: number
  /** The step that last showed or changed any of it. */
  readonly seen: number
}

export const unknownFile: FileModel = { runs: [], written: 0, seen: 0 }

export interface SeenLines {
  readonly lines: readonly string[]
  /** The number of the first one, where it is known. */
  readonly first?: number
  /** Whether these are all lines of the file. */
  readonly isWhole: boolean
  readonly step: number
  /** The step of a command that has changed the file since it was seen: what is new between known lines is its work. */
  readonly changedAt?: number
}

/** The file with lines that were read laid over what was known. Lines that are still there stay marked as edited. */
export function withRead(model: FileModel, seen: SeenLines): FileModel {
  const { lines, isWhole, step, changedAt } = seen
  const rows = lines.map((text): Row => ({ text, edited: 0 }))
  if (isWhole) {
    for (const run of model.runs) {
      // Most reads have no marks to pass on.
      if (changedAt !== undefined || run.rows.some(({ edited }) => edited > 0))
        mark(rows, run, alignment(run.rows, lines), changedAt)
    }
    return { ...model, runs: [{ first: 1, rows }], seen: step }
  }
  const placed = placeOf(model, seen)
  const kept: Run[] = []
  for (const run of model.runs) kept.push(...laidUnder(run, rows, placed, changedAt))
  const read: Run = placed === undefined ? { rows } : { first: placed, rows }
  return { ...model, runs: inOrder([...kept, read]), seen: step }
}

/** The number of the first line that was read: as told, or as lines that are known say. */
function placeOf({ runs }: FileModel, { lines, first }: SeenLines): number | undefined {
  if (first !== undefined) return first
  let most = Math.min(2, lines.length) - 1
  let found: number | undefined
  for (const run of runs) {
    if (run.first === undefined) continue
    const pairs = alignment(run.rows, lines)
    const [pair] = pairs
    if (pair === undefined || pairs.length <= most) continue
    most = pairs.length
    found = run.first + pair.from - pair.to
  }
  return found !== undefined && found > 0 ? found : undefined
}

/** What of a run stays beside lines that were read; lines of it that were read again give them their marks. */
function laidUnder(run: Run, rows: Row[], place: number | undefined, changedAt?: number): readonly Run[] {
  const pairs = trusted(run, rows, place)
  mark(rows, run, pairs, changedAt)
  const [head] = pairs
  const tail = pairs.at(-1)
  if (place === undefined) {
    // Of two runs without a place the newer stands for both where they share lines.
    return pairs.length > 0 && pairs.length * 2 >= telling(run.rows) ? [] : [run]
  }
  if (run.first === undefined && head === undefined) return [run]
  const before = head === undefined ? run.first : place + head.to - head.from
  const after = tail === undefined ? run.first : place + tail.to - tail.from
  const kept: Run[] = []
  if (before !== undefined) {
    const end = Math.min(head?.from ?? run.rows.length, place - before)
    if (end > 0) kept.push({ first: before, rows: run.rows.slice(0, end) })
  }
  if (after !== undefined) {
    const start = Math.max((tail?.from ?? -1) + 1, place + rows.length - after, 0)
    if (start < run.rows.length) kept.push({ first: after + start, rows: run.rows.slice(start) })
  }
  return kept.filter(({ first = 1 }) => first > 0)
}

const fewestAlike = 3

/** Pairs of lines that are no chance: at the same place, or several moved by as much. */
function trusted({ first, rows: older }: Run, rows: readonly Row[], place: number | undefined): readonly LinePair[] {
  const pairs = alignment(
    older,
    rows.map(({ text }) => text),
  )
  if (first === undefined || place === undefined) {
    return pairs.length >= 2 || pairs.length >= telling(older) ? pairs : []
  }
  const votes = new Map<number, number>()
  for (const { from, to } of pairs) votes.set(to - from, (votes.get(to - from) ?? 0) + 1)
  const usual = first - place
  return pairs.filter(({ from, to }) => to - from === usual || (votes.get(to - from) ?? 0) >= fewestAlike)
}

function telling(rows: readonly Row[]): number {
  return Math.max(1, rows.filter(({ text }) => text.trim().length >= 4).length)
}

function mark(rows: Row[], run: Run, pairs: readonly LinePair[], changedAt?: number): void {
  let next: number | undefined
  for (const { from, to } of pairs) {
    if (changedAt !== undefined && next !== undefined) {
      for (let at = next; at < to; at += 1) rows[at] = { text: rows[at]?.text ?? '', edited: changedAt }
    }
    next = to + 1
    const edited = run.rows[from]?.edited ?? 0
    const row = rows[to]
    if (row !== undefined && edited > row.edited) rows[to] = { ...row, edited }
  }
}

/** Runs by their places; where two overlap the one that was known later wins, and neighbours become one. */
export function inOrder(runs: readonly Run[]): readonly Run[] {
  const loose = runs.filter(({ first, rows }) => first === undefined && rows.length > 0)
  const placed: { first: number; rows: readonly Row[]; age: number }[] = []
  runs.forEach(({ first, rows }, age) => {
    if (first !== undefined && rows.length > 0) placed.push({ first, rows, age })
  })
  placed.sort((a, b) => a.first - b.first || a.age - b.age)
  const joined: { first: number; rows: readonly Row[]; age: number }[] = []
  for (const run of placed) {
    const last = joined.at(-1)
    const overlap = last === undefined ? -1 : last.first + last.rows.length - run.first
    if (last === undefined || overlap < 0) joined.push(run)
    else {
      const isNewer = run.age > last.age
      const rest = isNewer ? last.rows.slice(run.first - last.first + run.rows.length) : []
      const head = isNewer ? last.rows.slice(0, run.first - last.first) : last.rows
      const own = isNewer ? run.rows : run.rows.slice(overlap)
      joined[joined.length - 1] = { ...last, rows: [...head, ...own, ...rest], age: Math.max(last.age, run.age) }
    }
  }
  return [...joined.map(({ first, rows }) => ({ first, rows })), ...loose]
}
