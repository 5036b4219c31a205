import { definitionsIn } from './definitions.ts'
import type { FileWork } from './file-work.ts'
import type { Row, Run } from './file-model.ts'
import { harmless } from './harmless.ts'
import type { Room } from './room.ts'

/** Lines around an edit that a view shows. */
const around = 6
/** A file that was written is shown whole up to this many lines. */
const wholeLines = 60

/** Lines of a file that stand together, to be shown. */
interface Hunk {
  readonly run: Run
  readonly start: number
  /** Behind the last one. */
  readonly end: number
  /** The newest edit in it. */
  readonly step: number
}

export interface View {
  readonly path: string
  readonly text: string
  /** The lines of the file that it shows. */
  readonly rows: ReadonlySet<Row>
}

/** Views of files around their edits, the file that was edited last first, as far as they have room. */
export function viewsOf(works: readonly FileWork[], room: Room): readonly View[] {
  return works
    .map((work) => ({ work, hunks: hunksOf(work) }))
    .filter(({ hunks }) => hunks.length > 0)
    .toSorted((a, b) => newest(b.hunks) - newest(a.hunks))
    .flatMap(({ work, hunks }) => viewOf(work, hunks, room) ?? [])
}

function newest(hunks: readonly Hunk[]): number {
  return Math.max(...hunks.map(({ step }) => step))
}

const leastTokens = 60

/** The view of a file; where it has no room, of its newest hunks. */
function viewOf(work: FileWork, hunks: readonly Hunk[], room: Room): View | undefined {
  const byAge = hunks.toSorted((a, b) => b.step - a.step)
  for (let shown = byAge.length; shown > 0 && room.left >= leastTokens; shown = Math.floor(shown * 0.7)) {
    const chosen = new Set(byAge.slice(0, shown))
    const rows = new Set<Row>()
    const text = `${heading(work)}\n${bodyOf(
      hunks.filter((hunk) => chosen.has(hunk)),
      rows,
    )}`
    if (room.take(text)) return { path: work.path, text, rows }
  }
  return undefined
}

/** Says of which step a view is, and whether that may be past. */
export function heading({ path, model, changed }: FileWork): string {
  const isStale = changed !== undefined && changed >= model.seen
  return `## ${path}, as last seen at step ${model.seen}${isStale ? '; may have changed since' : ''}`
}

function hunksOf({ path, model }: FileWork): readonly Hunk[] {
  const { written } = model
  return model.runs.flatMap((run) => {
    if (written === 0) return aroundEdits(run)
    if (run.rows.length <= wholeLines) {
      const steps = run.rows.map(({ edited }) => edited)
      return [{ run, start: 0, end: run.rows.length, step: Math.max(written, ...steps) }]
    }
    return [...aroundEdits(run), ...definitionHunks(path, run, written)]
  })
}

function aroundEdits(run: Run): readonly Hunk[] {
  const hunks: Hunk[] = []
  run.rows.forEach(({ edited }: Row, at) => {
    if (edited === 0) return
    const start = Math.max(0, at - around)
    const end = Math.min(run.rows.length, at + around + 1)
    const last = hunks.at(-1)
    if (last === undefined || start > last.end) hunks.push({ run, start, end, step: edited })
    else hunks[hunks.length - 1] = { ...last, end, step: Math.max(last.step, edited) }
  })
  return hunks
}

/** Of a file that was written: what it defines, beside what was edited since. */
function definitionHunks(path: string, run: Run, step: number): readonly Hunk[] {
  return definitionsIn(path, run.rows).flatMap((defines, at) =>
    defines && run.rows[at]?.edited === 0 ? [{ run, start: at, end: at + 1, step }] : [],
  )
}

/** The lines of hunks in their order, which are added to `rows`, with a mark and the number of the next line where lines are left out between. */
function bodyOf(hunks: readonly Hunk[], rows: Set<Row>): string {
  const ordered = hunks.toSorted((a, b) => order(a) - order(b) || a.start - b.start)
  const lines: string[] = []
  let shown: { readonly run: Run; readonly end: number } | undefined
  for (const { run, start, end } of ordered) {
    const from = shown?.run === run ? Math.max(start, shown.end) : start
    if (from >= end) continue
    if (shown?.run !== run || from > shown.end) lines.push(gap(run, from))
    for (const row of run.rows.slice(from, end)) {
      rows.add(row)
      lines.push(harmless(row.text))
    }
    shown = { run, end }
  }
  return lines.join('\n')
}

function order({ run }: Hunk): number {
  return run.first ?? Infinity
}

/** Stands where lines are left out. */
export function gap({ first }: Run, at: number): string {
  return first === undefined ? '…' : `… line ${first + at}:`
}
