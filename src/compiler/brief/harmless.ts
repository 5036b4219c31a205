import { readMarker, readNearMarker } from '../../ladders/index.ts'

/** The titles of the parts of a brief. */
export const titles = { files: '## Files', tasks: '## Open tasks', outlines: '## Outlines', lines: '## Lines' } as const

/** Lines that only a brief has. Headings of other texts stand as they are: an edit may quote them. */
const own =
  /^(?:## (?:Files|Open tasks|Outlines|Lines)$|#{2,3} .*, as (?:last seen at|read up to) step \d|### List of .* at step \d|USER: |! \[step \d|\[steps? \d|… ?(?:line \d+:)?$)/

/** A line of others as it may stand in a brief: set in by two blanks where it looks as if it were ours. */
export function harmless(line: string): string {
  return mayBeOurs.test(line) && looksOurs(line) ? `  ${line}` : line
}

/** One look that most lines fail. */
const mayBeOurs = /^(?:[-+#]{0,3} ?\[|[#!…]|USER)|rehydrate|folded|not shown|left out|omitted|as in step/

function looksOurs(line: string): boolean {
  return own.test(line) || readMarker(line) !== undefined || readNearMarker(line) !== undefined
}
