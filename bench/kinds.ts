import { readFileSync } from 'node:fs'
import { contentKind } from '../src/ladders/index.ts'
import { markdownTable } from './markdown-table.ts'

/*
 * How often `contentKind` tells the kind of the samples in `src/fixtures/kinds`, bare and as a shell harness returns them: a
 * table of true kinds (rows) by found kinds (columns), then every miss.
 *
 *   node bench/kinds.ts
 */

interface KindSample {
  readonly name: string
  readonly kind: string
  readonly text: string
}

const folder = new URL('../src/fixtures/kinds/', import.meta.url)
const read = (file: string): string => readFileSync(new URL(file, folder), 'utf8')
const index = JSON.parse(read('index.json')) as readonly Omit<KindSample, 'text'>[]
const kindSamples = index.map((entry): KindSample => ({ ...entry, text: read(`${entry.name}.txt`) }))

type Found = (sample: KindSample) => string

const ways: readonly (readonly [name: string, found: Found])[] = [
  ['bare', ({ text }) => contentKind(text)],
  ['enveloped', ({ text }) => contentKind(`<returncode>0</returncode>\n<output>\n${text}</output>`)],
]

const kinds = [...new Set(kindSamples.map(({ kind }) => kind))].toSorted()

for (const [name, found] of ways) {
  const misses = kindSamples.filter((sample) => found(sample) !== sample.kind)
  console.log(`\n${name}: ${kindSamples.length - misses.length} of ${kindSamples.length}\n`)
  console.log(confusion(found))
  for (const sample of misses) console.log(`- ${sample.name}: ${sample.kind}, found ${found(sample)}`)
}

function confusion(found: Found): string {
  return markdownTable(
    kinds.map((kind) => {
      const own = kindSamples.filter((sample) => sample.kind === kind).map(found)
      const cells = kinds.map((column) => [column, String(own.filter((one) => one === column).length || '')])
      return { truth: `${kind} ${own.length}`, ...Object.fromEntries(cells) }
    }),
  )
}
