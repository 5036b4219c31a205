import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { runInNewContext } from 'node:vm'

const mostFiles = 1000
const mostMatches = 200
const mostLineChars = 300
const limitMs = 2000

/** The files below a place, by their paths from the root; not those of packages and of Git. */
export function filesBelow(root: string, place: string): readonly string[] {
  if (statSync(place).isFile()) return [relative(root, place)]
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => !/(?:^|[/\\])(?:node_modules|\.git)[/\\]/.test(file))
    .toSorted()
}

export function listing(root: string, place: string): string {
  const files = filesBelow(root, place)
  const more = files.length > mostFiles ? [`[${files.length - mostFiles} more files]`] : []
  return [...files.slice(0, mostFiles), ...more].join('\n')
}

/** Lines that match, as `FILE:LINE:TEXT`. Throws where the pattern is none, or takes too long. */
export function matchingLines(root: string, place: string, pattern: string): string {
  // A pattern of a model may take for ever, and only a context of its own can be stopped.
  const matches = runInNewContext(
    search,
    { files: filesBelow(root, place), linesOf: linesOf(root), pattern, mostMatches },
    {
      timeout: limitMs,
    },
  ) as readonly (readonly [file: string, number: number, line: string])[]
  const lines = matches.map(([file, number, line]) => `${file}:${number}:${line.slice(0, mostLineChars)}`)
  const more = lines.length === mostMatches ? [`[only the first ${mostMatches} matches]`] : []
  return lines.length === 0 ? 'no match' : [...lines, ...more].join('\n')
}

const search = `
  const wanted = new RegExp(pattern)
  const found = []
  for (const file of files) {
    let number = 0
    for (const line of linesOf(file)) {
      number += 1
      if (wanted.test(line) && found.push([file, number, line]) === mostMatches) break
    }
    if (found.length === mostMatches) break
  }
  found`

function linesOf(root: string): (file: string) => readonly string[] {
  return (file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return text.includes('\0') ? [] : text.split('\n')
  }
}
