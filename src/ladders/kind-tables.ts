import { atLeast } from './count-lines.ts'
import { isCut } from './kind-sample.ts'

/** Three or more lines of equal columns: drawn, under a rule, parted by a delimiter, aligned, or of numbers. */
export function isTable(lines: readonly string[]): boolean {
  if (lines.length < 3) return false
  return (
    isDrawn(lines) ||
    hasRule(lines) ||
    ['\t', '|', ',', ';'].some((delimiter) => sameColumns(lines, delimiter)) ||
    isAligned(lines) ||
    areNumbers(lines)
  )
}

const drawnRule = /^\s{0,8}[+┌├└╞┏┡┢╭╰╔╟╠][-=─═━+┬┼┴╤╪╧┯┿┷╦╬╩┳╇┻]{6,}/
const drawnRow = /^\s{0,8}[|│┃║┆]/

/** A box of characters. */
function isDrawn(lines: readonly string[]): boolean {
  const rules = lines.filter((line) => drawnRule.test(line)).length
  return rules > 0 && rules + lines.filter((line) => drawnRow.test(line)).length >= 0.8 * lines.length
}

const rule = /^[\s|+:]{0,8}-{2,}[\s|+:=-]*$/

/** A line of dashes under the names of the columns. */
function hasRule(lines: readonly string[]): boolean {
  const at = lines.slice(0, 4).findIndex((line) => rule.test(line))
  if (at < 1) return false
  const groups = (lines[at] ?? '').match(/-{2,}/g)?.length ?? 0
  return groups > 1 && (/\S[ \t]{2,}\S|\|/.test(lines[at - 1] ?? '') || /\S \S/.test(lines[at - 1] ?? ''))
}

/** The last line (from 0) of a table's header, which begins at `first`: its names, and the rules around them. */
export function headerEnd(lines: readonly string[], first: number): number {
  const names = isTableRule(lines[first] ?? '') ? first + 1 : first
  return isTableRule(lines[names + 1] ?? '') ? names + 1 : names
}

/** Whether a line of a table is drawn and says nothing. */
export function isTableRule(line: string): boolean {
  return rule.test(line) || drawnRule.test(line)
}

/** The same number of delimiters in nearly every line. */
function sameColumns(lines: readonly string[], delimiter: string): boolean {
  const header = delimiters(lines[0] ?? '', delimiter)
  if (header < (delimiter === '\t' ? 1 : 2)) return false
  if (delimiter !== '\t' && lines.some((line) => /^\s+\S|[;{(]$/.test(line))) return false
  if (delimiter === ',' && lines.filter((line) => /^[^"]*, /.test(line)).length > 0.3 * lines.length) return false
  const whole = lines.filter((line) => !isCut(line))
  return whole.filter((line) => delimiters(line, delimiter) === header).length >= Math.max(3, 0.8 * whole.length)
}

/** How often a delimiter stands in a line outside quotes; not at all before its first word. */
function delimiters(line: string, delimiter: string): number {
  let count = 0
  let quoted = false
  const start = delimiter === '\t' ? line.length - line.trimStart().length : 0
  for (let at = start; at < line.length; at++) {
    const char = line[at]
    if (char === '"') quoted = !quoted
    else if (!quoted && char === delimiter) count++
  }
  return count
}

/** Words in columns: blank places, one below the other, between places that nearly every line fills. */
function isAligned(lines: readonly string[]): boolean {
  const gutters = guttersOf(lines)
  const widest = Math.max(0, ...gutters)
  return (gutters.length >= 2 && widest >= 2) || (gutters.length === 1 && widest >= 3 && lines.length >= 6)
}

const aligned = 0.9
const filled = 0.7

/** Widths of the runs of places that are blank in nearly every line, with words on both sides in most. */
function guttersOf(lines: readonly string[]): readonly number[] {
  const starts = lines.map((line) => line.length - line.trimStart().length)
  const widest = Math.max(...lines.map((line) => line.length))
  const widths: number[] = []
  let run = 0
  for (let at = 0; at < widest; at++) {
    if (isBlankAt(lines, at) && isBetween(lines, starts, at)) run++
    else if (run > 0) {
      widths.push(run)
      run = 0
    }
  }
  return widths
}

/** Whether nearly every line is blank there, or has ended. Most places are not, which a few lines tell. */
function isBlankAt(lines: readonly string[], at: number): boolean {
  let blank = lines.length
  for (const line of lines) {
    if (at < line.length && line.charCodeAt(at) !== 32) blank -= 1
    if (blank < aligned * lines.length) return false
  }
  return true
}

/** Whether most lines have words before and behind it. */
function isBetween(lines: readonly string[], starts: readonly number[], at: number): boolean {
  let between = 0
  for (let index = 0; index < lines.length; index += 1)
    if (at < (lines[index]?.length ?? 0) && at > (starts[index] ?? 0)) between += 1
  return between >= filled * lines.length
}

const numeric = /^[-+]?[\d.,:]+(?:[%KMGTBsm]|Mi|Gi|Ki|ms)?$/

/** Rows of which most cells are numbers, at least every second line. */
function areNumbers(lines: readonly string[]): boolean {
  return atLeast(lines, 0.5 * lines.length, isRow)
}

function isRow(line: string): boolean {
  if (!/[\d.,:]/.test(line)) return false
  const cells = line.trim().split(/\s+/)
  return cells.length >= 3 && cells.filter((cell) => numeric.test(cell)).length >= 0.6 * cells.length
}
