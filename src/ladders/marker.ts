import { rehydrateToolName } from '../core/index.ts'
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

/**
 * The same in the arguments of a call: says that the model did write those lines, so that nobody takes the marker for what
 * one writes into a call.
 */
export function callFoldMarker({ first, last, handle }: Fold, brief = false): string {
  const form = first === last ? 'call-line' : 'call-lines'
  return writeMarker(brief ? `brief-${form}` : form, { first, last, handle })
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

/** An earlier step that shows some lines already. */
interface ShownBefore {
  readonly step: number
  /** They stand in the call of that step, not in what it returned. */
  readonly call: boolean
  /** How many steps before its own that step is; absent where the reader's place is not known. */
  readonly back?: number
}

/** Lines that an earlier step shows already, and where they stand in the original of the text that repeats them. */
export interface Repeated extends Fold, ShownBefore {
  readonly lines: number
}

/**
 * The line that stands for repeated lines: `[+20 lines as in step 4, 3 before this: …]` goes on where the line before it stands in
 * step 4. Few readers have counted all steps; the last few can be counted back.
 */
export function referenceMarker({ call, ...values }: Repeated): string {
  return writeMarker(`repeats${formEnding({ call, ...values })}`, values)
}

/** Lines of an earlier step, as that step shows them (from 1). */
export interface RepeatedThere extends ShownBefore {
  readonly first: number
  readonly last: number
}

/** The same where no tool follows handles: says where the lines stand in the step that shows them. */
export function briefReferenceMarker({ call, ...values }: RepeatedThere): string {
  return writeMarker(`brief-repeats${formEnding({ call, ...values })}`, values)
}

function formEnding({ call, back }: ShownBefore): '' | '-call' | '-back' | '-call-back' {
  if (call) return back === undefined ? '-call' : '-call-back'
  return back === undefined ? '' : '-back'
}

/** Reads a line as a reference that names no handle; undefined where it has another form. */
export function parseBriefReference(line: string): RepeatedThere | undefined {
  const read = readMarker(line)
  const { step, first, last, handle } = read?.values ?? {}
  if (step === undefined || first === undefined || last === undefined || handle !== undefined) return undefined
  return { step: Number(step), first: Number(first), last: Number(last), call: read?.form.includes('-call') === true }
}

/** Said once, above the first result without the lines with which results of its tool usually begin and end. */
export function endsMarker(handle: string): string {
  return writeMarker('ends', { handle })
}

/** The same where nothing follows handles yet: the result of an earlier step shows what is left out. */
export function endsShownIn(step: number): string {
  return writeMarker('ends-step', { step })
}

/** Whether a shown text begins with one of these. */
export function saysEnds(text: string): boolean {
  const form = text.startsWith('[usual ') ? readMarker(text.split('\n', 1)[0] ?? '')?.form : undefined
  return form === 'ends' || form === 'ends-step'
}

/** The shortest line with a handle. A failure is named even here. */
export function pointer(handle: string, status: ToolStatus): string {
  return writeMarker(pointerForms[status], { handle })
}

/** How a tool's call ended: `reported` ended well and tells of failures. */
export type ToolStatus = 'ok' | 'reported' | 'error'

const pointerForms = { ok: 'pointer', reported: 'pointer-reported', error: 'pointer-error' } as const

/**
 * The same text for a request that offers no tool to follow a handle: its markers say which lines are left out, and name no handle.
 * Markers of other items stay.
 */
export function withoutHandle(text: string, handle: string): string {
  if (!text.includes(handle)) return text
  // In the arguments of a call quotation marks are escaped.
  const call = String.raw`${rehydrateToolName}\(\\?"${handle}\\?"(?:, \\?"[0-9-]*\\?")?\)`
  const lineOr = (range: string): string => (range.includes('-') ? `lines ${range}` : `line ${range}`)
  const marker = (said: string): RegExp =>
    new RegExp(String.raw`\[(?:lines? )?(\d+(?:-\d+)?) ${said}: (?:${call}|${handle})\]`, 'g')
  return text
    .replace(marker('folded'), (_, range: string) => `[${lineOr(range)} left out]`)
    .replace(marker('(?:written, )?not shown'), (_, range: string) => `[${lineOr(range)} written, not shown]`)
    .replace(new RegExp(`: (?:${call}|${handle})\\]`, 'g'), ']')
    .replace(new RegExp(`;? ${call}`, 'g'), '')
}
