import type { ByteSource } from './byte-source.ts'
import { lettersAt, says } from './byte-source.ts'

/** Of a longer file only so much is read at its head and at its end. */
const mostRead = 1_048_576
const sliceBytes = 8192
/** A tree of pages may have inner nodes; the root counts all of them. */
const mostPages = 100_000

/**
 * The pages of a PDF as its tree of pages counts them; where that stands in a packed stream, as a file that is made for slow lines says;
 * undefined for other bytes, and where the file says neither in the clear.
 */
export function pageCount(source: ByteSource): number | undefined {
  if (!says(source, 0, '%PDF-')) return undefined
  const counts = partsOf(source).flatMap((text) => [...countsIn(text)])
  const count = Math.max(0, ...counts)
  return count > 0 && count <= mostPages ? count : undefined
}

function partsOf(source: ByteSource): readonly string[] {
  const { length } = source
  if (length <= 2 * mostRead) return [textOf(source, 0, length)]
  return [textOf(source, 0, mostRead), textOf(source, length - mostRead, length)]
}

/** A character that is no base64 ends the text and not the file. */
function textOf(source: ByteSource, start: number, end: number): string {
  let text = ''
  try {
    for (let at = start; at < end; at += sliceBytes) text += lettersAt(source, at, Math.min(sliceBytes, end - at))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return text
}

const treeForm = /\/Type\s{0,4}\/Pages\b/g
const countForm = /\/Count\s{1,4}(\d{1,6})\b/
/** An object that names its kind names its count near by. */
const nearChars = 4096
const mostNodes = 4000

function* countsIn(text: string): Generator<number> {
  const linear = /\/Linearized\s{1,4}1[\s\S]{0,200}?\/N\s{1,4}(\d{1,6})\b/.exec(text.slice(0, 2048))
  if (linear !== null) yield Number(linear[1])
  let left = mostNodes
  for (const { index } of text.matchAll(treeForm)) {
    if (left === 0) return
    left -= 1
    const before = text.slice(Math.max(0, index - nearChars), index)
    const start = index - before.length + Math.max(0, before.lastIndexOf('obj'))
    const after = text.slice(index, index + nearChars)
    const end = after.indexOf('endobj')
    const found = countForm.exec(text.slice(start, end < 0 ? index + nearChars : index + end))
    if (found !== null) yield Number(found[1])
  }
}
