import { readMarker, writeMarker } from './marker-grammar.ts'

/** Lines `first` to `last` of an original (from 1, as `selectLines` counts them) that a rendition leaves out. */
export interface Fold {
  readonly first: number
  readonly last: number
  readonly handle: string
}

/** The line that stands for a run of lines left out; `brief` once a marker before it has shown the call in full. */
export function foldMarker({ first, last, handle }: Fold, brief = false): string {
  const single = first === last
  if (brief) return writeMarker(single ? 'brief-line' : 'brief-lines', { first, last, handle })
  return writeMarker(single ? 'line' : 'lines', { first, last, handle })
}

/** Reads a line as a fold marker; undefined where it has another form. Whether it is ours, its handle tells. */
export function parseFold(line: string): Fold | undefined {
  return readMarker(line)?.values.step === undefined ? parseRange(line) : undefined
}

/** The lines of an original that a marker stands for, folded or said elsewhere; undefined where it stands for no lines. */
export function parseRange(line: string): Fold | undefined {
  const { first, last = first, handle } = readMarker(line)?.values ?? {}
  if (first === undefined || handle === undefined) return undefined
  return { first: Number(first), last: Number(last), handle }
}

/** Lines that an earlier step shows already, and where they stand in the original of the text that repeats them. */
export interface Repeated extends Fold {
  readonly step: number
  /** They stand in the call of that step, not in what it returned. */
  readonly call: boolean
  readonly lines: number
}

/** The line that stands for repeated lines: `[+20 lines as in step 4: …]` goes on where the line before it stands in step 4. */
export function referenceMarker({ call, ...values }: Repeated): string {
  return writeMarker(call ? 'repeats-call' : 'repeats', values)
}

/** Said once, above the first result without the lines with which results of its tool usually begin and end. */
export function endsMarker(handle: string): string {
  return writeMarker('ends', { handle })
}

/** Whether a shown text begins with that. */
export function saysEnds(text: string): boolean {
  return text.startsWith('[usual ') && readMarker(text.split('\n', 1)[0] ?? '')?.form === 'ends'
}

/** The shortest line with a handle. A failure is named even here. */
export function pointer(handle: string, status: ToolStatus): string {
  return writeMarker(pointerForms[status], { handle })
}

/** How a tool's call ended: `reported` ended well and tells of failures. */
export type ToolStatus = 'ok' | 'reported' | 'error'

const pointerForms = { ok: 'pointer', reported: 'pointer-reported', error: 'pointer-error' } as const
