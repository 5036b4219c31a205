import { existsSync } from 'node:fs'
import { isJsonObject } from '../core/index.ts'
import { parseLine, readLines } from './read-lines.ts'
import { inside, traceError } from './trace-error.ts'
import type { JsonObject } from '../core/index.ts'
import type { TracePlace } from './trace-error.ts'

/** A row of a needle file; `step` and `sources` are indices into the messages of the session. */
export interface NeedleRow {
  readonly place: TracePlace
  readonly text: string
  readonly step: number
  readonly sources: readonly number[]
}

/** Needle rows by trace id. */
export type NeedleTable = ReadonlyMap<string, readonly NeedleRow[]>

const endings = ['.needles.jsonl', '.argvalues.jsonl']

/** The needle file that stands beside a trace file: `X.needles.jsonl`, else `X.argvalues.jsonl`. */
export function needleFileOf(traceFile: string): string | undefined {
  const stem = traceFile.replace(/\.jsonl?$/, '')
  return endings.map((ending) => stem + ending).find((file) => existsSync(file))
}

/** Whether a file goes with a trace that stands beside it, and is no trace itself. */
export function isNeedleFile(file: string): boolean {
  const ending = endings.find((candidate) => file.endsWith(candidate))
  return ending !== undefined && existsSync(`${file.slice(0, -ending.length)}.jsonl`)
}

export async function readNeedles(file: string): Promise<NeedleTable> {
  const table = new Map<string, NeedleRow[]>()
  for await (const { line, text } of readLines(file)) {
    const place: TracePlace = { file, line, field: '' }
    const value = parseLine(place, text)
    if (!isJsonObject(value)) throw traceError(place, 'is not an object', 'A needle has id, step, needle and src')
    const id = value['id']
    if (typeof id !== 'string') throw traceError(inside(place, 'id'), 'is not text', 'Name the trace by its id')
    const row = needleRow(value, place)
    const rows = table.get(id) ?? []
    table.set(id, rows)
    if (row !== undefined) rows.push(row)
  }
  return table
}

/** Undefined for an argument value that did not come from tool output alone. */
function needleRow(row: JsonObject, place: TracePlace): NeedleRow | undefined {
  const text = row['needle']
  if (typeof text !== 'string' || text === '') {
    throw traceError(inside(place, 'needle'), 'is not text', 'A needle is a string with at least one character')
  }
  const step = row['step']
  if (typeof step !== 'number' || !Number.isInteger(step) || step < 0) {
    throw traceError(inside(place, 'step'), 'is no message index', 'Give the index of the message that used it')
  }
  if ('src' in row) {
    const sources = indices(row['src'], step, inside(place, 'src'))
    if (sources.length === 0) throw traceError(inside(place, 'src'), 'is empty', 'Name the messages it stood in')
    return { place, step, text, sources }
  }
  const sources = indices(row['src_tool'], step, inside(place, 'src_tool'))
  const others = indices(row['src_other'], step, inside(place, 'src_other'))
  return sources.length > 0 && others.length === 0 ? { place, step, text, sources } : undefined
}

function indices(value: unknown, step: number, place: TracePlace): readonly number[] {
  if (!Array.isArray(value)) throw traceError(place, 'is not a list', 'Give a list of message indices before the step')
  return value.map((index: unknown, position) => {
    if (typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < step) return index
    throw traceError(inside(place, position), 'is no message before the step', 'Give message indices below step')
  })
}

/** Whether values of calls are recorded beside a trace file, and not needles. */
export function hasValueFile(traceFile: string): boolean {
  return needleFileOf(traceFile)?.endsWith('.argvalues.jsonl') === true
}
