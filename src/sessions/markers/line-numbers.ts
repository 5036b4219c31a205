/** Line numbers as tools that read files put them before each line. */
const numberedForm = /^( *)(\d{1,9})(→|\t|: ?|\| ?)/

/**
 * The text without the line numbers that a reading tool has added, as a model leaves them out when it writes: where all
 * lines have successive ones, and the line before in the original shows how the line before was written.
 */
export function withoutLineNumbers(
  text: string,
  {
    shownBefore,
    writtenBefore,
  }: { readonly shownBefore: string | undefined; readonly writtenBefore: string | undefined },
): string {
  const lines = text.split('\n')
  const matches = lines.map((line) => numberedForm.exec(line))
  const [first] = matches
  if (first === undefined || first === null) return text
  const start = Number(first[2])
  const isNumbered = matches.every(
    (match, index) => match !== null && Number(match[2]) === start + index && match[3]?.[0] === first[3]?.[0],
  )
  if (!isNumbered || !leavesOut({ shownBefore, writtenBefore }, first)) return text
  return lines.map((line, index) => line.slice(matches[index]?.[0].length ?? 0)).join('\n')
}

function leavesOut(
  {
    shownBefore,
    writtenBefore,
  }: { readonly shownBefore: string | undefined; readonly writtenBefore: string | undefined },
  [, blanks, , mark]: RegExpExecArray,
): boolean {
  if (writtenBefore !== undefined && shownBefore !== undefined) {
    if (writtenBefore === shownBefore) return false
    if (writtenBefore === shownBefore.replace(numberedForm, '')) return true
  }
  return mark === '→' || (mark === '\t' && blanks !== '')
}
