import type { ContentKind } from './content-kinds.ts'

const escape = String.fromCharCode(27)
const bell = String.fromCharCode(7)
const controlSequence = new RegExp(
  `${escape}(?:\\[[0-?]{0,64}[ -/]{0,8}[@-~]|\\][^${bell}${escape}]{0,2048}(?:${bell}|${escape}\\\\)|[()][A-Z0-9]|[=>78cDEHM])`,
  'g',
)

/** Kinds in which spaces at line ends carry nothing: nobody edits these texts, nor applies them as a patch. */
const looseEnds: ReadonlySet<ContentKind> = new Set(['log', 'test-output', 'build-output', 'directory-listing'])

/**
 * The text as a terminal would leave it to a reader. Gone are: escape sequences for colour, cursor and title; in logs, test
 * and build output and listings, spaces and tabs at line ends; and the earlier states of a progress line that overwrote
 * itself with carriage returns. Carriage returns before a line feed stay.
 */
export function cleanText(text: string, kind: ContentKind): string {
  const plain = withoutControls(text)
  const settled = plain.includes('\r') ? plain.split('\n').map(settledLine).join('\n') : plain
  return looseEnds.has(kind) ? withoutLooseEnds(settled) : settled
}

/** The text without escape sequences for colour, cursor and title. */
export function withoutControls(text: string): string {
  return text.includes(escape) ? text.replace(controlSequence, '') : text
}

/** Backwards over each line end: a pattern anchored at the end would be quadratic in long runs of spaces. */
function withoutLooseEnds(text: string): string {
  if (!/[ \t](?:\r?\n|$)/.test(text)) return text
  const lines = text.split('\n')
  return lines.map((line) => (line.endsWith('\r') ? `${line.slice(0, -1).trimEnd()}\r` : line.trimEnd())).join('\n')
}

const progress = /\d ?%|--:--:--|\d:\d\d:\d\d|\d ?\/ ?\d|\.{3}|[█▏▎▍▌▋▊▉░▒▓━╸⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]|={3}|#{3}|^\s*[|/\\-]\s|^\s*$/

/** The last state of a line that overwrote itself; unchanged when what was overwritten does not look like progress. */
export function settledLine(line: string): string {
  const end = line.endsWith('\r') ? '\r' : ''
  const body = end === '' ? line : line.slice(0, -1)
  if (!body.includes('\r')) return line
  const states = body.split('\r')
  const last = states.pop() ?? ''
  // What a bar overwrites first may be what it is about.
  const bars = states.length > 2 ? states.slice(1) : states
  if (!bars.every((state) => progress.test(state.slice(0, 400)))) return line
  const before = states.at(-1) ?? ''
  return last === '' ? before + end : last + end
}
