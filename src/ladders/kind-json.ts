import { isCut } from './kind-sample.ts'
import type { TextSample } from './kind-sample.ts'

/** Lines that may stand before a JSON text and say what it is: a status, headers of an answer, a count. */
const mostBefore = 16

/** JSON by its beginning and its ends, after a few other lines too, or a JSON text in every line. */
export function isJson(sample: TextSample): boolean {
  return isWhole(sample.head, sample) || areJsonLines(sample.lines) || isAfterLines(sample)
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

/** Most of the text is a JSON text that begins at the start of one of its first lines and ends with it. */
function isAfterLines({ head, tail, lines, length }: TextSample): boolean {
  let at = 0
  for (let line = 0; line < mostBefore && at >= 0 && at < head.length; line++) {
    if (/^[[{](?:\s|["[{])/.test(head.slice(at, at + 2)) && at < length / 2) {
      const closes = tail.endsWith(head[at] === '{' ? '}' : ']')
      return closes && isWhole(head.slice(at), { tail, lines })
    }
    at = head.indexOf('\n', at) + 1
    if (at === 0) return false
  }
  return false
}
