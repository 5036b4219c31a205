// Generated bodies and streams against both codecs. usage: node bench/fuzz-codecs.ts [RUNS] [SEED]
import fc from 'fast-check'
import { codecs } from '../src/codecs/index.ts'
import { properties } from './codec-properties.ts'
import { streamProperties } from './codec-stream-properties.ts'

const runs = Number(process.argv[2] ?? 50_000)
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 31)
const all = { ...properties, ...streamProperties }
const each = Math.ceil(runs / (codecs.length * Object.keys(all).length))
let failures = 0

for (const codec of codecs) {
  for (const [name, holds] of Object.entries(all)) {
    const details = fc.check(
      fc.property(fc.gen(), (g) => holds(g, codec)),
      { numRuns: each, seed },
    )
    if (details.failed) failures += 1
    console.log(
      `${details.failed ? 'FAIL' : 'ok  '} ${codec.dialect.padEnd(18)} ${String(details.numRuns).padStart(6)}  ${name}`,
    )
    if (details.failed)
      console.log(`${String(details.errorInstance)}\nseed ${seed}, path ${details.counterexamplePath}`)
  }
}
console.log(
  `${failures === 0 ? 'passed' : `${failures} failed`}: ${each * codecs.length * Object.keys(all).length} inputs, seed ${seed}`,
)
process.exitCode = failures === 0 ? 0 : 1
