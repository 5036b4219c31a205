// Runs every test that checks a property once for each seed, and each property as often as it asks for. usage: node scripts/properties.ts [SEEDS] [FIRST] [FILTER…]
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const [seeds = '1', first = '1', ...filters] = process.argv.slice(2)
if (![seeds, first].every((number) => /^[1-9]\d{0,14}$/.test(number))) {
  console.error('usage: npm run properties -- [SEEDS] [FIRST] [FILTER…], both from 1')
  process.exit(2)
}

const files = globSync('{src,bench,scripts}/**/*.ts', { cwd: root }).toSorted()
const importsProperties = /from '(?:fast-check|[^']*-properties\.ts|[^']*\/testing\/[^']*)'/

const tests = files.filter(
  (file) =>
    file.endsWith('.test.ts') &&
    (filters.length === 0 || filters.some((filter) => file.includes(filter))) &&
    importsProperties.test(readFileSync(resolve(root, file), 'utf8')),
)

/** A guard against a hang: many times what a seed takes. */
const timeout = (10 + Number(seeds)) * 60_000

const env = {
  ...process.env,
  PREHEND_SEED: first,
  PREHEND_SEEDS: seeds,
  PREHEND_PROPERTY_RUNS: String(Number.MAX_SAFE_INTEGER),
}
const result = spawnSync(
  process.execPath,
  [resolve(root, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=dot', ...tests],
  { cwd: root, stdio: 'inherit', timeout, env },
)
const last = Number(first) + Number(seeds) - 1
console.log(`properties ${result.status === 0 ? 'hold' : 'FAILED'}: ${tests.length} files, seeds ${first} to ${last}`)
process.exitCode = result.status ?? 1
