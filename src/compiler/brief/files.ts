import type { FileWork } from './file-work.ts'

const mostSteps = 6
const mostFiles = 60

/** One line for each file, the last one worked on first: what was done with it at which steps. */
export function fileList(works: readonly FileWork[]): readonly string[] {
  const lines = works
    .filter(({ deeds }) => deeds.length > 0)
    .toReversed()
    .map(({ path, deeds }) => `${path}: ${deedsOf(deeds)}`)
  const rest = lines.length - mostFiles
  return rest > 0 ? [...lines.slice(0, mostFiles), `and ${rest} more files`] : lines
}

function deedsOf(deeds: FileWork['deeds']): string {
  const newest = deeds.slice(-mostSteps)
  const said = newest.map(({ what, step }) => `${what} ${step}`)
  return deeds.length > newest.length ? `${deeds.length - newest.length} before, ${said.join(', ')}` : said.join(', ')
}
