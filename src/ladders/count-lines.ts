/** Whether so many of some lines match; stops as soon as the answer is certain. */
export function atLeast(lines: readonly string[], wanted: number, matches: (line: string) => boolean): boolean {
  let missing = Math.ceil(wanted)
  for (let at = 0; missing > 0; at += 1) {
    if (missing > lines.length - at) return false
    if (matches(lines[at] ?? '')) missing -= 1
  }
  return true
}

/** Whether a share of some lines, or more, has a form. */
export function haveForm(lines: readonly string[], share: number, form: RegExp): boolean {
  return atLeast(lines, share * lines.length, (line) => form.test(line))
}
