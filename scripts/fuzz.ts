// Runs every bench/fuzz-*.ts in turn with the same arguments, then every property once. usage: node scripts/fuzz.ts [RUNS] [SEED]
// Properties take a seed of their own where none is given; both print it.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'

const bench = resolve(import.meta.dirname, '../bench')
const [, seed] = process.argv.slice(2)
const files = readdirSync(bench)
  .filter((name) => /^fuzz-.*\.ts$/.test(name))
  .toSorted()

const failed = files.filter((name) => {
  console.log(`fuzz: ${name}`)
  return !passes([resolve(bench, name), ...process.argv.slice(2)])
})

const propertySeed = seed ?? String(Math.floor(Math.random() * 2 ** 31))
console.log(`fuzz: properties, seed ${propertySeed}`)
if (!passes([resolve(import.meta.dirname, 'properties.ts'), '1', propertySeed])) failed.push('properties')

console.log(
  failed.length === 0
    ? `fuzz passed: ${files.length} programs and the properties`
    : `fuzz failed: ${failed.join(', ')}`,
)
process.exitCode = files.length > 0 && failed.length === 0 ? 0 : 1

function passes(command: readonly string[]): boolean {
  return spawnSync(process.execPath, command, { stdio: 'inherit' }).status === 0
}
