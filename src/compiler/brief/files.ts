import type { FileWork } from './file-work.ts'

const mostSteps = 6
const mostFiles = 60

/** Each file, the last one worked on first, and below it what was done with it at which steps. A path has a line of its own, as calls write it. */
export function fileList(works: readonly FileWork[]): readonly string[] {
  const lines = works
    .filter(({ deeds }) => deeds.length > 0)
    .toReversed()
    .map(({ path, deeds }) => `${path}\n ${deedsOf(deeds)}`)
  const rest = lines.length - mostFiles
  return rest > 0 ? [...lines.slice(0, mostFiles), `and ${rest} more files`] : lines
}

function deedsOf(deeds: FileWork['deeds']): string {
  const newest = deeds.slice(-mostSteps)
  const said = newest.map(({ what, step }) => `${what} ${step}`)
  return deeds.length > newest.length ? `${deeds.length - newest.length} before, ${said.join(', ')}` : said.join(', ')
}
