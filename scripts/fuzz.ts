// Runs every bench/fuzz-*.ts in turn with the same arguments. usage: node scripts/fuzz.ts [RUNS] [SEED]
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'

const bench = resolve(import.meta.dirname, '../bench')
const files = readdirSync(bench)
  .filter((name) => /^fuzz-.*\.ts$/.test(name))
  .toSorted()

const failed = files.filter((name) => {
  console.log(`fuzz: ${name}`)
  const result = spawnSync(process.execPath, [resolve(bench, name), ...process.argv.slice(2)], { stdio: 'inherit' })
  return result.status !== 0
})

console.log(failed.length === 0 ? `fuzz passed: ${files.length} programs` : `fuzz failed: ${failed.join(', ')}`)
process.exitCode = files.length > 0 && failed.length === 0 ? 0 : 1
