import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Text of each Markdown file below a folder, by its path from there. */
export function readPages(folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.md'))
    .toSorted()
  return new Map(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]))
}
