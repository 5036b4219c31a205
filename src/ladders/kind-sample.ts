import { withoutControls } from './clean-text.ts'

/** What is looked at of a text to tell its kind: all of it when it is short, a bounded part of it otherwise. */
export interface TextSample {
  /**
   * Up to 96 lines that are not blank: the first 48, and 48 spread over the rest; each without terminal controls and cut to its
   * first 240 characters. The envelope of a harness is not among them.
   */
  readonly lines: readonly string[]
  /** The first characters of what stands inside the envelope. */
  readonly head: string
  /** Its last ones, without the white space at the end. */
  readonly tail: string
  /** How long it is. */
  readonly length: number
}

const sampleLines = 96
const linePrefix = 240
const headLength = 5000
const tailLength = 64

/** Whether a line of a sample may go on in the text. */
export function isCut(line: string): boolean {
  return line.length >= linePrefix
}

export function sampleOf(text: string): TextSample {
  const { start, end } = insideEnvelope(text)
  return {
    lines: linesBetween(text, start, end),
    head: text.slice(start, Math.min(end, start + headLength)),
    tail: text.slice(Math.max(start, end - tailLength), end).trimEnd(),
    length: end - start,
  }
}

/** The lines that harnesses put around a command's output; they say nothing about the kind of the output. */
const tags = 'returncode|return_code|exit_?code|exit_?status|output|stdout|stderr|result|results|response|tool_result'
const opening = new RegExp(
  `^\\s{0,8}(?:<(?:${tags})>(?:[^<]{0,80}</(?:${tags})>)?|(?:Exit code|Return code|Wall time|Duration|Output|Stdout|Stderr|Result):?(?:\\s.{0,40})?)$`,
  'i',
)
const closing = new RegExp(`^\\s{0,8}(?:<(?:${tags})>[^<]{0,80})?</(?:${tags})>$`, 'i')
const longestEnvelope = 6

/** Offsets of a part of a text. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** What of a text stands between the lines that a harness puts before and after it. */
export function insideEnvelope(text: string): Span {
  let start = 0
  for (let round = 0; round < longestEnvelope; round++) {
    const lineEnd = text.indexOf('\n', start)
    const line = lineEnd === -1 || lineEnd - start > 200 ? undefined : text.slice(start, lineEnd)
    if (line === undefined || !(opening.test(line) || (start > 0 && line.trim() === ''))) break
    start = lineEnd + 1
  }
  let end = text.length
  for (let round = 0; round < longestEnvelope; round++) {
    const lineStart = end === 0 ? -1 : text.lastIndexOf('\n', end - 1)
    if (lineStart + 1 < start || end - lineStart > 200 || !closing.test(text.slice(lineStart + 1, end))) break
    end = Math.max(start, lineStart)
  }
  return { start, end }
}

function linesBetween(text: string, from: number, to: number): readonly string[] {
  const head = firstLines(text, { start: from, end: to }, sampleLines / 2)
  const lines = [...head.lines]
  const rest = to - head.end
  const stops = 12
  if (rest <= 0) return lines
  for (let stop = 0; stop < stops; stop++) {
    const near = head.end + Math.floor((rest * stop) / stops)
    const start = stop === 0 ? near : text.indexOf('\n', near) + 1
    if (start > 0) lines.push(...firstLines(text, { start, end: to }, sampleLines / 2 / stops).lines)
  }
  return lines
}

interface Sampled {
  readonly lines: readonly string[]
  readonly end: number
}

function firstLines(text: string, { start, end: to }: Span, limit: number): Sampled {
  const lines: string[] = []
  let at = start
  for (let round = 0; round < limit * 3 && lines.length < limit && at < to; round++) {
    const next = text.indexOf('\n', at)
    const end = next === -1 || next > to ? to : next
    const line = withoutControls(text.slice(at, Math.min(end, at + linePrefix))).trimEnd()
    if (line !== '') lines.push(line)
    at = end + 1
  }
  return { lines, end: Math.min(at, to) }
}
