import { contentKind } from '../src/ladders/index.ts'
import type { KindSample } from '../src/ladders/kind-samples.fixture.ts'
import { enveloped, kindSamples } from '../src/ladders/kind-samples.fixture.ts'
import { markdownTable } from './markdown-table.ts'

/*
 * How often `contentKind` tells the kind of the samples in `src/fixtures/kinds`, bare and as a shell harness returns them: a
 * table of true kinds (rows) by found kinds (columns), then every miss.
 *
 *   node bench/kinds.ts
 */

type Found = (sample: KindSample) => string

const ways: readonly (readonly [name: string, found: Found])[] = [
  ['bare', ({ text }) => contentKind(text)],
  ['enveloped', ({ text }) => contentKind(enveloped(text))],
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
