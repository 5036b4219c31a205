import type { Reading, Taken } from './failure-reading.ts'
import { isLibraryPlace } from './failure-places.ts'

const longestTraceback = 400

/**
 * A Python traceback from its first line: the last frame of one's own code, the last of all, and the exception, whatever it is called;
 * of one that was cut before its exception, the frames.
 */
export function tracebackBlock({ lines }: Reading, start: number): Taken {
  const { end, stop } = tracebackEnd(lines, start)
  const frames: number[] = []
  for (let at = start + 1; at < stop; at++) if (/^\s*File "/.test(lines[at] ?? '')) frames.push(at)
  const last = frames.at(-1)
  const own = frames.findLast((at) => !isLibraryPlace(lines[at] ?? ''))
  const codeOf = (frame: number): readonly number[] =>
    frame + 1 < stop && /^\s+(?!File ")\S/.test(lines[frame + 1] ?? '') ? [frame + 1] : []
  const shown = [last, own].flatMap((frame) => (frame === undefined ? [] : [frame, ...codeOf(frame)]))
  return {
    block: { lines: [...new Set([end, ...shown, start])], message: end, detailed: end > start },
    next: Math.max(end + 1, stop),
  }
}

interface TracebackEnd {
  /** The line that names the exception: the first that stands no deeper than the traceback's head; the head where none does. */
  readonly end: number
  /** Where its frames end. */
  readonly stop: number
}

/** How an exception is named, with what it says or without. */
const exceptionForm = /^[A-Za-z_][\w.]*(?:Error|Exception|Warning|Interrupt|Exit)(?:: |:?$)/

/** A name at the head of a line, as an exception of whatever name has it. */
const anyName = /^[A-Za-z_][\w.]*(?:: |:?$)/

function tracebackEnd(lines: readonly string[], start: number): TracebackEnd {
  const indent = /^\s*/.exec((lines[start] ?? '').slice(0, 200))?.[0] ?? ''
  const limit = Math.min(lines.length, start + longestTraceback)
  for (let at = start + 1; at < limit; at++) {
    const line = lines[at] ?? ''
    if (line.startsWith(`${indent} `) || line.startsWith(`${indent}\t`) || line.trim() === '') continue
    const isSaid = line.startsWith(indent) && !/^\s*<\//.test(line)
    if (isSaid && !exceptionForm.test(line.slice(indent.length)) && goesOn(lines, at, limit)) continue
    return { end: isSaid ? at : start, stop: at }
  }
  return { end: start, stop: limit }
}

/** Lines of another stream that may stand among the frames. */
const mostBetween = 12

/** Whether more of it follows, frames or the code of the last one and the exception, as where a program's output has come in between. */
function goesOn(lines: readonly string[], from: number, limit: number): boolean {
  const mayNameOne = anyName.test((lines[from] ?? '').trimStart())
  for (let at = from + 1; at < Math.min(limit, from + mostBetween); at++) {
    const line = lines[at] ?? ''
    if (/^\s*Traceback \(most recent call last\)/.test(line)) return false
    if (/^\s+File "/.test(line)) return true
    if (exceptionForm.test(line.trimStart()) && (/^\s+\S/.test(lines[at - 1] ?? '') || !mayNameOne)) return true
  }
  return false
}
