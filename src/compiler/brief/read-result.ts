import type { FileRead } from '../../ladders/index.ts'
import type { SeenLines } from './file-model.ts'

/** What the result of a read shows of the file, run by run; nothing where that cannot be told. */
export function linesRead(text: string, read: FileRead, step: number): readonly SeenLines[] {
  const { lines, isCut } = fileLines(text)
  if (lines.length === 0) return []
  const numbered = numberedLines(lines)
  if (numbered !== undefined) return numberedRuns(numbered, step)
  if (read.extent === 'numbered') return []
  const isWhole = read.extent === 'whole' && !isCut
  return [{ lines, ...(read.first !== undefined && { first: read.first }), isWhole, step }]
}

const envelope = /^<returncode>\d+<\/returncode>\n<output>\n([\s\S]*?)\n?<\/output>\s*$/
/** How tools say at the end that there is more. */
const notice =
  /^(?:\.{3}|…)? ?[[(]?(?:\d+ more lines?|\.{3} ?\(?\d+ more|(?:output|file|content|lines) (?:was |were )?truncated|truncated)\b.*$|^\.{3} ?\(\d+ more lines.*$|^\[(?:Showing|Use offset|\d+ more).*\]$/i
const exit = /^Command exited with code \d+$/
const elided = /<elided_chars>|\[\.\.\. ?\d+ (?:lines|characters) (?:omitted|truncated)/i

function fileLines(text: string): { readonly lines: readonly string[]; readonly isCut: boolean } {
  if (elided.test(text)) return { lines: [], isCut: true }
  const body = (envelope.exec(text)?.[1] ?? text).replaceAll('\r', '')
  const lines = body.split('\n')
  let isCut = false
  let end = lines.length
  for (; end > 0; end -= 1) {
    const line = lines[end - 1]?.trim() ?? ''
    const ends = notice.test(line) || exit.test(line)
    isCut ||= notice.test(line)
    if (line !== '' && !ends && !/^<\/?system-reminder>/.test(line)) break
  }
  return { lines: lines.slice(0, end), isCut }
}

interface Numbered {
  readonly number: number
  readonly text: string
}

const numberForm = /^\s{0,8}(\d{1,6})(\t|→|[:|-] ?)(.*)$/
const leastShare = 0.8

/** Lines with the numbers that a tool prints before them; undefined where it prints none. */
function numberedLines(lines: readonly string[]): readonly Numbered[] | undefined {
  const found: { number: number; mark: string; text: string }[] = []
  let said = 0
  for (const line of lines) {
    if (line.trim() === '' || line === '--') continue
    said += 1
    const [, digits = '', mark = '', text = ''] = numberForm.exec(line) ?? []
    if (digits === '') continue
    const number = Number(digits)
    if (number <= (found.at(-1)?.number ?? 0)) return undefined
    found.push({ number, mark, text })
  }
  if (found.length === 0 || found.length < said * leastShare) return undefined
  // A blank behind the mark belongs to it only where every line has one.
  const hasBlank = found.every(({ mark, text }) => mark.length === 2 || (text === '' && mark.length === 1))
  const isSingle = found.every(({ mark }) => mark === '\t' || mark === '→')
  return found.map(({ number, mark, text }) => ({
    number,
    text: isSingle || hasBlank ? text : `${mark.slice(1)}${text}`,
  }))
}

function numberedRuns(numbered: readonly Numbered[], step: number): readonly SeenLines[] {
  const runs: { lines: string[]; first: number; isWhole: false; step: number }[] = []
  let next = -1
  for (const { number, text } of numbered) {
    if (number !== next) runs.push({ lines: [], first: number, isWhole: false, step })
    runs.at(-1)?.lines.push(text)
    next = number + 1
  }
  return runs
}
