import { withoutControls } from './clean-text.ts'

/** Of longer lines only so much is looked at. */
const prefixLength = 600

/** What harnesses, supervisors and loggers put before a line that a tool has printed; each is taken off once, in this order. */
const prefixes: readonly RegExp[] = [
  /^<(?:output|stdout|stderr|error)>(?=\S)/,
  /^\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z| ?[+-]\d\d:?\d\d| UTC)?\]? (?:\[\d{1,9}\] )?/,
  /^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S{1,80} (?=[\w.@/-]{1,80}(?:\[\d{1,9}\])?: )/,
  /^[\w.@/-]{1,80}\[\d{1,9}\]: (?= )/,
  /^\[ {0,6}\d{1,9}\.\d{3,9}\] /,
  /^(?:stderr|stdout|\S{1,40}) {0,20}\| (?=\S)/,
  /^#\d{1,4} \d{1,6}\.\d{1,4} /,
  /^##\[error\]/,
  /^[<*] (?=HTTP\/)/,
  /^│ /,
  /^ {1,12}\| (?=[A-Z])/,
]

/** One look that most lines fail. */
const mayBePrefixed =
  /^(?:[<[#│*\d]| {1,12}\| |[A-Z][a-z]{2} [ \d]\d |[\w.@/-]{1,80}\[\d{1,9}\]: |[^\s|]{1,40} {0,20}\| )/

/** A line as the tool wrote it: without colours, and without what others have put before it; of long ones the beginning. */
export function plainLine(line: string): string {
  const settled = line.includes('\r') ? lastState(line) : line
  let plain = withoutControls(
    settled.length > prefixLength * 2 ? settled.slice(0, prefixLength * 2) : settled,
  ).trimEnd()
  if (mayBePrefixed.test(plain)) for (const prefix of prefixes) plain = plain.replace(prefix, '')
  return plain.length > prefixLength ? plain.slice(0, prefixLength) : plain
}

/** What a terminal shows of a line that overwrote itself: a program says what went wrong where its progress stood. */
function lastState(line: string): string {
  return line.split('\r').findLast((state) => state.trim() !== '') ?? ''
}

/** A piece of JSON as the text that stands in it: without a key before it, and what ends the string. */
export function plainPiece(line: string): string {
  const start = /^[\s{[,]{0,80}(?:"[\w.-]{1,60}"\s?:\s?)?"/.exec(line)?.[0] ?? ''
  const inside = line.slice(start.length)
  return plainLine(inside.replace(/(?:\\r)?(?:\\n)?"?[\s,\]}]{0,80}$/, ''))
}

/** Characters of white space before a line. */
export function indentOf(line: string): number {
  return line.length - line.trimStart().length
}
