// Generated bodies and streams against both codecs. usage: node bench/fuzz-codecs.ts [RUNS] [SEED]
import fc from 'fast-check'
import { codecFor } from '../src/codecs/index.ts'
import { codecCases, codecProperties } from '../src/testing/index.ts'
import type { Draw } from '../src/testing/index.ts'

const runs = Number(process.argv[2] ?? 50_000)
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 31)
const dialects = Object.entries(codecCases)
const properties = Object.entries(codecProperties)
const each = Math.ceil(runs / (dialects.length * properties.length))
const shrinking = (g: fc.GeneratorValue): Draw => ({
  whole: (most) => g(fc.nat, most),
  text: () => g(fc.string, { unit: 'binary', maxLength: 20 }),
})
let failures = 0

for (const [dialect, cases] of dialects) {
  for (const [name, holds] of properties) {
    const details = fc.check(
      fc.property(fc.gen(), (g) => holds(shrinking(g), codecFor(dialect), cases)),
      { numRuns: each, seed },
    )
    if (details.failed) failures += 1
    console.log(
      `${details.failed ? 'FAIL' : 'ok  '} ${dialect.padEnd(18)} ${String(details.numRuns).padStart(6)}  ${name}`,
    )
    if (details.failed)
      console.log(`${String(details.errorInstance)}\nseed ${seed}, path ${details.counterexamplePath}`)
  }
}
console.log(
  `${failures === 0 ? 'passed' : `${failures} failed`}: ${each * dialects.length * properties.length} inputs, seed ${seed}`,
)
process.exitCode = failures === 0 ? 0 : 1
