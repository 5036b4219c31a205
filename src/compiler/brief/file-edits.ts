import { inOrder, unknownFile } from './file-model.ts'
import type { FileModel, Row, Run } from './file-model.ts'

export interface Replacement {
  readonly old: string
  readonly text: string
  readonly every: boolean
  readonly step: number
}

/** The file with a text replaced where it stands; where it was not seen, the new lines stand by themselves. */
export function withEdit(model: FileModel, edit: Replacement): FileModel {
  const old = edit.old.replaceAll('\r', '').split('\n')
  const text = edit.text.replaceAll('\r', '')
  if (edit.every && old.length === 1 && edit.old !== '') {
    const runs = everywhere(model.runs, edit.old, text, edit.step)
    if (runs !== undefined) return { ...model, runs: inOrder(runs), seen: edit.step }
  }
  let { runs } = model
  let from: Spot = { run: 0, row: 0 }
  let found = false
  while (edit.old !== '') {
    const spot = find(runs, old, from)
    if (spot === undefined) break
    found = true
    const { changed, added } = replaced(runs, spot, { old, text, step: edit.step })
    runs = changed
    if (!edit.every) break
    from = { run: spot.run, row: spot.row + added }
  }
  if (!found) runs = [...withoutStale(runs, old, text), { rows: looseRows(old, text, edit.step) }]
  return { ...model, runs: inOrder(runs), seen: edit.step }
}

/** Each row in which a text stands with it replaced; undefined where it stands in none. */
function everywhere(runs: readonly Run[], old: string, text: string, step: number): readonly Run[] | undefined {
  let grown = 0
  let found = false
  const changed = runs.map((run): Run => {
    const first = run.first === undefined ? {} : { first: run.first + grown }
    const rows = run.rows.flatMap((row) => {
      if (!row.text.includes(old)) return [row]
      found = true
      return row.text
        .replaceAll(old, () => text)
        .split('\n')
        .map((line): Row => ({ text: line, edited: step }))
    })
    if (run.first !== undefined) grown += rows.length - run.rows.length
    return { ...first, rows }
  })
  return found ? changed : undefined
}

interface Spot {
  readonly run: number
  readonly row: number
}

function find(runs: readonly Run[], old: readonly string[], from: Spot): Spot | undefined {
  for (let run = from.run; run < runs.length; run += 1) {
    const rows = runs[run]?.rows ?? []
    for (let row = run === from.run ? from.row : 0; row < rows.length; row += 1) {
      if (standsAt(rows, row, old)) return { run, row }
    }
  }
  return undefined
}

function standsAt(rows: readonly Row[], row: number, old: readonly string[]): boolean {
  const [head = ''] = old
  const last = old.length - 1
  const first = rows[row]?.text ?? ''
  if (last === 0) return first.includes(head)
  if (!first.endsWith(head)) return false
  for (let at = 1; at < last; at += 1) if (rows[row + at]?.text !== old[at]) return false
  const tail = old[last] ?? ''
  const end = rows[row + last]?.text
  return end === undefined ? tail === '' : end.startsWith(tail)
}

interface Change {
  readonly old: readonly string[]
  readonly text: string
  readonly step: number
}

function replaced(
  runs: readonly Run[],
  spot: Spot,
  { old, text, step }: Change,
): { readonly changed: readonly Run[]; readonly added: number } {
  const target = runs[spot.run] ?? { rows: [] }
  const gone = target.rows.slice(spot.row, spot.row + old.length)
  const first = gone[0]?.text ?? ''
  const last = gone[old.length - 1]?.text
  const [head = ''] = old
  const start = old.length === 1 ? first.indexOf(head) : first.length - head.length
  const rest = old.length === 1 ? first.slice(start + head.length) : (last ?? '').slice(old.at(-1)?.length ?? 0)
  const whole = `${first.slice(0, start)}${text}${rest}`.split('\n')
  // The break behind the last line of a run is not there to be replaced.
  const lines = last === undefined && whole.at(-1) === '' ? whole.slice(0, -1) : whole
  const rows = spliced(gone, lines, step)
  const before = target.rows.slice(0, spot.row)
  const after = target.rows.slice(spot.row + gone.length)
  // Of lines that were only taken out the one before shows where.
  const isCut = rows.length < gone.length && rows.every((row) => gone.includes(row))
  const mark = before.at(-1)
  if (isCut && mark !== undefined && rows.length === 0) before[before.length - 1] = { ...mark, edited: step }
  const own = isCut ? rows.map((row, at) => (at === 0 ? { ...row, edited: step } : row)) : rows
  const grown = lines.length - gone.length
  const changed = runs.map((run, at): Run => {
    if (at === spot.run) return { ...run, rows: [...before, ...own, ...after] }
    const isBehind = run.first !== undefined && target.first !== undefined && run.first > target.first
    return isBehind ? { ...run, first: (run.first ?? 0) + grown } : run
  })
  return { changed, added: Math.max(1, lines.length) }
}

/** New lines in place of old rows: those that are alike at both ends stay as they were. */
function spliced(gone: readonly Row[], lines: readonly string[], step: number): readonly Row[] {
  let head = 0
  while (head < gone.length && head < lines.length && gone[head]?.text === lines[head]) head += 1
  let tail = 0
  const most = Math.min(gone.length, lines.length) - head
  while (tail < most && gone[gone.length - 1 - tail]?.text === lines[lines.length - 1 - tail]) tail += 1
  return [
    ...gone.slice(0, head),
    ...lines.slice(head, lines.length - tail).map((text): Row => ({ text, edited: step })),
    ...gone.slice(gone.length - tail),
  ]
}

function looseRows(old: readonly string[], text: string, step: number): readonly Row[] {
  const lines = text.split('\n')
  const before = new Set(old)
  const whole = lines.at(-1) === '' ? lines.slice(0, -1) : lines
  return whole.map((line) => ({ text: line, edited: before.has(line) ? 0 : step }))
}

const tellingLength = 12

/** Without lines that an edit has taken away, where they stand once. */
function withoutStale(runs: readonly Run[], old: readonly string[], text: string): readonly Run[] {
  const kept = new Set(text.split('\n'))
  const taken = new Set(old.filter((line) => line.trim().length >= tellingLength && !kept.has(line)))
  if (taken.size === 0) return runs
  const times = new Map<string, number>()
  for (const { rows } of runs)
    for (const row of rows) if (taken.has(row.text)) times.set(row.text, (times.get(row.text) ?? 0) + 1)
  if (times.size === 0) return runs
  const isStale = (row: Row | undefined): boolean => row !== undefined && times.get(row.text) === 1
  return runs.flatMap((run) => (run.rows.some(isStale) ? parted(run, isStale) : [run]))
}

function parted({ first, rows }: Run, isOut: (row: Row | undefined) => boolean): readonly Run[] {
  const parts: Run[] = []
  let start = 0
  for (let at = 0; at <= rows.length; at += 1) {
    if (at < rows.length && !isOut(rows[at])) continue
    if (at > start) parts.push({ ...(first !== undefined && { first: first + start }), rows: rows.slice(start, at) })
    start = at + 1
  }
  return parts
}

/** The file with a text put behind a line. */
export function withInsertion(model: FileModel, after: number, text: string, step: number): FileModel {
  const lines = text.replaceAll('\r', '').replace(/\n$/, '').split('\n')
  const rows = lines.map((line): Row => ({ text: line, edited: step }))
  const holds = ({ first, rows: own }: Run): boolean =>
    first !== undefined && first - 1 <= after && after <= first + own.length - 1
  const target = model.runs.findIndex(holds)
  const runs = model.runs.flatMap((run, at): readonly Run[] => {
    const { first } = run
    if (at === target && first !== undefined) {
      const split = after - first + 1
      return [{ first, rows: [...run.rows.slice(0, split), ...rows, ...run.rows.slice(split)] }]
    }
    return [first !== undefined && first > after ? { ...run, first: first + rows.length } : run]
  })
  const all = target === -1 ? [...runs, { first: after + 1, rows }] : runs
  return { ...model, runs: inOrder(all), seen: step }
}

/** The file with a text at its end. */
export function withAppended(model: FileModel, text: string, step: number): FileModel {
  const rows = rowsOf(text).map((row) => ({ ...row, edited: step }))
  const [only] = model.runs
  const isKnown = model.written > 0 && model.runs.length === 1 && only?.first === 1
  const runs = isKnown ? [{ first: 1, rows: [...only.rows, ...rows] }] : [...model.runs, { rows }]
  return { ...model, runs, seen: step }
}

/** A file that was written whole. */
export function asWritten(text: string, step: number): FileModel {
  return { ...unknownFile, runs: [{ first: 1, rows: rowsOf(text) }], written: step, seen: step }
}

function rowsOf(text: string): readonly Row[] {
  const lines = text.replaceAll('\r', '').split('\n')
  return (lines.at(-1) === '' ? lines.slice(0, -1) : lines).map((line) => ({ text: line, edited: 0 }))
}
