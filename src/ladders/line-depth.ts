/** Lines that head what follows them whatever its indent, widest first: files of a diff or a view, hunks, sections, commands. */
const headings: readonly RegExp[] = [
  /^(?:diff --git |==> .{1,200} <==$)/,
  /^(?:--- |\+\+\+ )\S/,
  /^@@ /,
  /^(?:={3,}|_{3,}|-{3,}|#{3,}) \S/,
  /^(?:\.{0,2}\/)?[\w.@+-]+(?:\/[\w.@ +-]*)*:$/,
  /^[$>] \S/,
  /^--$/,
]

const numberPrefix = /^\s{0,8}\d{1,7}[:\t→|-]/
const placePrefix = /^(?:[A-Za-z]:)?[\w@.~+-]*[/.][\w@./~+-]*[:-]\d{1,7}[:-]/
const treePrefix = /^[\s│|]*[├└+`|][─-]{1,3} ?/

/**
 * How deep a line stands: its indent, without the numbers that views put before it; headings stand above all indents.
 * Undefined for blank lines.
 */
export function lineDepth(line: string): number | undefined {
  const start = line.length > 400 ? line.slice(0, 400) : line
  if (start.trim() === '') return undefined
  const heading = headings.findIndex((form) => form.test(start))
  if (heading !== -1) return heading - headings.length
  if (placePrefix.test(start)) return 0
  const tree = treePrefix.exec(start)
  if (tree !== null) return tree[0].length
  const numbered = numberPrefix.exec(start)
  return indentOf(numbered === null ? start : start.slice(numbered[0].length))
}

const definitionForm =
  /^\s*(?:\d{1,7}[:\t→|-])?\s*(?:(?:export|default|public|private|protected|static|abstract|async|final|pub|override) +){0,5}(?:class|def|function\*?|fn|func|interface|struct|enum|trait|impl|describe|it|test)\b|^\s*(?:\d{1,7}[:\t→|-])?\s*(?:(?:public|private|protected|static|async|readonly|get|set) +){1,4}[\w$]+\s*[(<]/
const insideDefinitions = 1000

/** In code only definitions open something: a line must not seem to belong to another function; `if` and `for` may go. */
export function codeDepth(line: string): number | undefined {
  const depth = lineDepth(line)
  if (depth === undefined || depth < 0) return depth
  return definitionForm.test(line.slice(0, 200)) ? depth : insideDefinitions
}

function indentOf(line: string): number {
  let width = 0
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at)
    if (code === 32) width++
    else if (code === 9) width += 4
    else break
  }
  return width
}
