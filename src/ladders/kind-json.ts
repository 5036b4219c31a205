import { insideEnvelope, isCut, sampleOf } from './kind-sample.ts'
import type { Span, TextSample } from './kind-sample.ts'

/** Lines that may stand before a JSON text and say what it is: a status, headers of an answer, a count. */
const mostBefore = 16

/** JSON by its beginning and its ends, after a few other lines too, or a JSON text in every line. */
export function isJson(sample: TextSample): boolean {
  return isWhole(sample.head, sample) || areJsonLines(sample.lines) || startAfterLines(sample) !== -1
}

/** An object or array whose second token is one that JSON allows there, and that closes, or else goes on like JSON. */
function isWhole(head: string, { tail, lines }: Pick<TextSample, 'tail' | 'lines'>): boolean {
  const start = /^\s{0,64}([[{])\s{0,4096}(["[{\]}\d-]|true|false|null)/.exec(head)
  if (start === null || (start[1] === '{' && !/["}]/.test(start[2] ?? ''))) return false
  if (/^\s{0,64}(?:\[\s{0,4096})?\{\s{0,4096}"[^"\n]{0,200}"\s{0,8}:/.test(head)) return true
  return (
    tail.endsWith(start[1] === '{' ? '}' : ']') || lines.filter((line) => member.test(line)).length * 2 > lines.length
  )
}

const member = /^\s*"[^"]+": ?/

function areJsonLines(lines: readonly string[]): boolean {
  return lines.length > 1 && lines.every((line) => /^\s*[[{]"/.test(line) && (isCut(line) || /[\]}],?$/.test(line)))
}

/** Where the JSON text in a text stands, whatever stands before and around it; undefined where it is not one. */
export function jsonSpan(text: string): Span | undefined {
  const { start, end } = insideEnvelope(text)
  const sample = sampleOf(text)
  const offset = isWhole(sample.head, sample) ? 0 : startAfterLines(sample)
  return offset === -1 ? undefined : { start: start + offset, end }
}

/** Where a JSON text begins that is most of the text: at the start of one of the first lines; it ends with the text. -1 without one. */
function startAfterLines({ head, tail, lines, length }: TextSample): number {
  let at = 0
  for (let line = 0; line < mostBefore && at < Math.min(head.length, length / 2); line++) {
    if (/^[[{][\s"[{]/.test(head.slice(at, at + 2))) {
      const closes = tail.endsWith(head[at] === '{' ? '}' : ']')
      return closes && isWhole(head.slice(at), { tail, lines }) ? at : -1
    }
    at = head.indexOf('\n', at) + 1
    if (at === 0) return -1
  }
  return -1
}
