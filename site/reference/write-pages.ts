import { cpSync, mkdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { referencePages } from './pages-text.ts'
import type { WrittenPage } from './pages-text.ts'
import { entriesOf, readSource } from './read-source.ts'

export interface Folders {
  /** The checkout. */
  readonly root: string
  /** The site, which has TypeDoc installed. */
  readonly site: string
  /** Where pages are written; whatever it holds is replaced. */
  readonly pages: string
}

/** The page of docs/ that lists the pages of the reference, which stand in the folder of its name. */
const index = 'typescript-api'

function listOf(pages: readonly WrittenPage[]): string {
  const lines = pages.map(({ slug, title, about }) => `| [${title}](${index}/${slug}.md) | ${about} |`)
  return `\n## Pages\n\n| page | content |\n| --- | --- |\n${lines.join('\n')}\n`
}

/**
 * Writes what the site is built from: the pages of docs/, and those of the reference, made from docstrings. Answers with faults: names
 * without a docstring, and links of docstrings that lead nowhere.
 */
export async function writePages({ root, site, pages }: Folders): Promise<readonly string[]> {
  const { names, faults } = await readSource(root, site, entriesOf(root))
  const written = referencePages(names)
  rmSync(pages, { recursive: true, force: true })
  cpSync(join(root, 'docs'), pages, { recursive: true })
  mkdirSync(join(pages, index), { recursive: true })
  for (const { slug, text } of written) writeFileSync(join(pages, index, `${slug}.md`), text)
  const page = join(pages, `${index}.md`)
  writeFileSync(page, `${readFileSync(page, 'utf8')}${listOf(written)}`)
  return faults
}

/** Copies each file of docs/ when it changes. */
export function followDocs({ root, pages }: Folders): void {
  watch(join(root, 'docs'), { recursive: true }, (_, file) => {
    if (file === null || file === `${index}.md`) return
    cpSync(join(root, 'docs', file), join(pages, file), { recursive: true, force: true })
  })
}
