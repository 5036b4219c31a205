/* Notebooks, as JSON or as cells in tags: their cells hold code and what it has printed, between a lot that nobody reads. */

const looked = 40

/** Whether the lines of a JSON text are those of a notebook. */
export function isNotebook(lines: readonly string[]): boolean {
  let head = ''
  for (let at = 0; at < Math.min(looked, lines.length); at += 1) head += (lines[at] ?? '').slice(0, 600)
  return (/"cells"\s*:/.test(head) && /"cell_type"\s*:/.test(head)) || taggedCell.test(head)
}

const taggedCell = /<cell id="[^"]{1,80}">/
const printed = /^(?:Output of cell|Outputs? ?\[|Out ?\[\d)/
const outputLines = 12

/** Whether a line of a notebook in tags is what a cell has printed. */
export function isPrinted(lines: readonly string[], at: number): boolean {
  for (let before = at - 1; before >= Math.max(0, at - outputLines); before -= 1) {
    const line = lines[before] ?? ''
    if (printed.test(line)) return true
    if (taggedCell.test(line)) return false
  }
  return false
}

const unread =
  /^[\s{[,]{0,200}"(?:metadata|execution_count|id|nbformat|nbformat_minor|kernelspec|language_info|display_name|collapsed|scrolled|tags|codemirror_mode|file_extension|mimetype|pygments_lexer|nbconvert_exporter|cell_type|name|version|image\/\w[\w+]*|application\/[\w.+-]+)"\s*:/

/** Whether a line of one holds nothing that a reader of its cells and their results needs. */
export function isUnread(line: string): boolean {
  const start = line.slice(0, 400)
  return unread.test(start) && !/"(?:source|text|text\/plain|ename|evalue)"\s*:/.test(line.slice(0, 2000))
}

const failing = /"output_type"\s*:\s*"error"/
const naming = /"(?:ename|evalue)"\s*:/
const reach = 6

/** Of each cell that has failed the lines that name the error, in their order. */
export function failedCells(lines: readonly string[]): readonly (readonly number[])[] {
  return lines.flatMap((line, at) => {
    if (!failing.test(line)) return []
    const near: number[] = []
    for (let other = Math.max(0, at - reach); other <= Math.min(lines.length - 1, at + reach); other += 1)
      if (other === at || naming.test(lines[other] ?? '')) near.push(other)
    return [near]
  })
}
