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

/** The line that stands for lines already shown by an earlier step. */
export function referenceMarker(step: number, firstLine: number, lines: number): string {
  if (lines === 1) return `[same as step ${step}, line ${firstLine}]`
  return `[same as step ${step}, lines ${firstLine}-${firstLine + lines - 1}]`
}

const referenceForm = /^\[same as step \d{1,9}, lines? \d{1,9}(?:-\d{1,9})?\]$/

/** Whether a line has the form of one of our markers; such lines are never matched as repeats. */
export function looksLikeMarker(line: string): boolean {
  if (!line.startsWith('[') || line.length > 160) return false
  return referenceForm.test(line) || foldForm.test(line)
}
