/** Lines `first` to `last` of an original (from 1, as `selectLines` counts them) that a rendition leaves out. */
export interface Fold {
  readonly first: number
  readonly last: number
  readonly handle: string
}

/** The tool call that brings an original back, whole or by lines; the text every marker carries. */
export function rehydrateCall(handle: string, range?: string): string {
  return range === undefined ? `rehydrate("${handle}")` : `rehydrate("${handle}", "${range}")`
}

function rangeOf({ first, last }: Fold): string {
  return first === last ? `${first}` : `${first}-${last}`
}

/** The line that stands for a run of lines left out; `brief` once a marker before it has shown the call in full. */
export function foldMarker(fold: Fold, brief = false): string {
  const range = rangeOf(fold)
  const single = fold.first === fold.last
  if (brief) return `[${single ? 'line ' : ''}${range} folded: ${fold.handle}]`
  return `[${single ? 'line' : 'lines'} ${range} folded: ${rehydrateCall(fold.handle, range)}]`
}

const handleForm = '[A-Za-z0-9_-]{4,64}'
const foldForm = new RegExp(
  String.raw`^\[(?:lines? (\d{1,9}(?:-\d{1,9})?) folded: rehydrate\("(${handleForm})", "\1"\)|(?:line )?(\d{1,9}(?:-\d{1,9})?) folded: (${handleForm}))\]$`,
)

/**
 * Reads a line as a fold marker. Any text may contain a line of that form: only a marker whose handle the caller knows is
 * ours, so check the handle before acting on it.
 */
export function parseMarker(line: string): Fold | undefined {
  if (line.length > 160 || !line.startsWith('[')) return undefined
  const match = foldForm.exec(line)
  if (match === null) return undefined
  const [first, last] = (match[1] ?? match[3] ?? '').split('-').map(Number)
  return { first: first ?? 0, last: last ?? first ?? 0, handle: match[2] ?? match[4] ?? '' }
}

/** Lines that an earlier step shows already. */
export interface Repeated {
  readonly step: number
  /** They stand in the call of that step, not in what it returned. */
  readonly call: boolean
  readonly lines: number
  /** How the first of them begins; left out where the line before the marker is the place to look for. */
  readonly from?: string
}

/** The line that stands for repeated lines: `[+20 lines as in step 4]` goes on where the line before it stands in step 4. */
export function referenceMarker({ step, call, lines, from }: Repeated): string {
  const what = lines === 1 ? '1 line' : `${lines} lines`
  const where = `${call ? 'the call of ' : ''}step ${step}`
  return from === undefined ? `[+${what} as in ${where}]` : `[${what} as in ${where}, from: ${from}]`
}

const referenceForm = /^\[\+?\d{1,9} lines? as in (?:the call of )?step \d{1,9}(?:, from: .{1,80})?\]$/

/** Whether a line has the form of one of our markers; such lines are never matched as repeats. */
export function looksLikeMarker(line: string): boolean {
  if (!line.startsWith('[') || line.length > 160) return false
  return referenceForm.test(line) || foldForm.test(line)
}
