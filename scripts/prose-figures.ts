// Prints how hard each page is to read; no gate. usage: node scripts/prose-figures.ts [FILE | FOLDER]…, by default the README and docs
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readingCounts, readingFigures, totalCounts } from './prose/reading-ease.ts'
import type { ReadingCounts } from './prose/reading-ease.ts'

/** Made from source, tests or other files. */
const generated = /(?:^|\/)(?:cli|http|requirements|crossings|clients|sdks)\.md$/

function pagesOf(path: string): readonly string[] {
  if (statSync(path).isFile()) return [path]
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !generated.test(file) && !file.startsWith('decisions'))
    .toSorted()
    .map((file) => join(path, file))
}

function row(name: string, counts: ReadingCounts): string {
  const { words, meanSentence, longShare, ease } = readingFigures(counts)
  return `| ${name} | ${words} | ${meanSentence.toFixed(1)} | ${(longShare * 100).toFixed(0)}% | ${ease.toFixed(1)} |`
}

const named = process.argv.slice(2)
const pages = (named.length === 0 ? ['README.md', 'docs'] : named).flatMap(pagesOf)
const counted = pages.map((page) => [page, readingCounts(readFileSync(page, 'utf8'))] as const)

console.log(
  "Prose without tables, code and headings. Reading ease is Flesch's, with syllables estimated by groups of vowels; inline code counts as one word of one.\n",
)
console.log(
  '| page | words | words a sentence | sentences above 25 words | reading ease |\n| --- | --- | --- | --- | --- |',
)
for (const [page, counts] of counted) console.log(row(page, counts))
console.log(row(`all ${pages.length} pages`, totalCounts(counted.map(([, counts]) => counts))))
