// Generated bodies and streams against every codec, and every pair of them. usage: node bench/fuzz-codecs.ts [RUNS] [SEED]
import fc from 'fast-check'
import { codecFor } from '../src/codecs/index.ts'
import { codecCases, codecProperties, crossingProperties } from '../src/testing/index.ts'
import type { Draw } from '../src/testing/index.ts'

const runs = Number(process.argv[2] ?? 50_000)
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 31)
const dialects = Object.entries(codecCases)
const properties = Object.entries(codecProperties)
const pairs = dialects.flatMap((from) => dialects.filter((to) => to !== from).map((to) => [from, to] as const))
const crossings = Object.entries(crossingProperties)
const each = Math.ceil(runs / (properties.length + crossings.length))
const shrinking = (g: fc.GeneratorValue): Draw => ({
  whole: (most) => g(fc.nat, most),
  text: () => g(fc.string, { unit: 'binary', maxLength: 20 }),
})
let failures = 0
let tried = 0

/** Tries one property of one dialect, or of a pair. */
function check(label: string, name: string, holds: (draw: Draw) => void, numRuns: number): void {
  const details = fc.check(
    fc.property(fc.gen(), (g) => holds(shrinking(g))),
    { numRuns, seed },
  )
  tried += details.numRuns
  console.log(`${details.failed ? 'FAIL' : 'ok  '} ${label.padEnd(40)} ${String(details.numRuns).padStart(6)}  ${name}`)
  if (!details.failed) return
  failures += 1
  console.log(`${String(details.errorInstance)}\nseed ${seed}, path ${details.counterexamplePath}`)
}

const side = ([dialect, cases]: (typeof dialects)[number]) => ({ codec: codecFor(dialect), cases })
for (const [dialect, cases] of dialects)
  for (const [name, holds] of properties) check(dialect, name, (draw) => holds(draw, codecFor(dialect), cases), each)
// A dialect's share of its crossings, over those that lead from it.
for (const [from, to] of pairs)
  for (const [name, holds] of crossings)
    check(
      `${from[0]} to ${to[0]}`,
      name,
      (draw) => holds(draw, side(from), side(to)),
      Math.ceil(each / (dialects.length - 1)),
    )

console.log(`${failures === 0 ? 'passed' : `${failures} failed`}: ${tried} inputs, ${runs} a dialect, seed ${seed}`)
process.exitCode = failures === 0 ? 0 : 1
