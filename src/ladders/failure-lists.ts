/** A list of what has failed. */
const opening = /"(failures|failed|errors)":\s?\[/
/** A text in a list, which has no name to say what it is. */
const bareText = /^\s*"(?:[^"\\]|\\.)*"?,?\s*\]?[,}\]]*$/
const member = /^\s*"(?:[^"\\]|\\.)*":\s?(?!null|""|\[\]|\{\}|\{$|\[$)\S/

/** More of a list is data. */
const mostLines = 40

/**
 * The lines (from 0) in which lists of failures say what has failed: texts of such a list, and the fields of its records unless the list is one of
 * errors, whose fields have names that are known.
 */
export function linesOfFailureLists(lines: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>()
  for (const [at, line] of lines.entries()) {
    const opened = opening.exec(line)
    if (opened === null) continue
    const isOfErrors = opened[1] === 'errors'
    let walk = walked({ depth: 0, isText: false }, line.slice(opened.index + opened[0].length - 1))
    for (let next = at + 1; walk.depth > 0 && next < lines.length && next <= at + mostLines; next += 1) {
      const inner = lines[next] ?? ''
      if (walk.isText || bareText.test(inner) || (!isOfErrors && (member.test(inner) || inner.startsWith('{'))))
        found.add(next)
      walk = walked(walk, inner)
    }
  }
  return found
}

/** How many brackets are open, and whether a text is: long ones are parted at their line breaks. */
interface Walk {
  readonly depth: number
  readonly isText: boolean
}

function walked({ depth, isText }: Walk, line: string): Walk {
  let open = depth
  let inText = isText
  for (let at = 0; at < line.length; at += 1) {
    const sign = line[at]
    if (inText && sign === '\\') at += 1
    else if (sign === '"') inText = !inText
    else if (inText) continue
    else if (sign === '[' || sign === '{') open += 1
    else if ((sign === ']' || sign === '}') && (open -= 1) === 0) return { depth: 0, isText: false }
  }
  return { depth: open, isText: inText }
}
