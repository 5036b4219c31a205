// Tries what runs on servers against the real ones, each with a data folder of its own on a free port of loopback. What is missing is
// installed from the packages of the system where that is allowed. usage: npm run -s servers [-- TEST…]
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { installPackages } from '../scripts/install-packages.ts'
import { findProgram, programs } from './programs.ts'

const root = resolve(import.meta.dirname, '..')

const missing = programs.filter(({ name }) => findProgram(name) === undefined)
if (missing.length > 0) installPackages([...new Set(missing.map((program) => program.package))])
const still = programs.filter(({ name }) => findProgram(name) === undefined)
if (still.length > 0) {
  console.error(`missing here: ${still.map((program) => `${program.name} (Debian: ${program.package})`).join(', ')}`)
  process.exit(1)
}
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const result = spawnSync(
  process.execPath,
  [vitest, 'run', '--config', 'servers/vitest.config.ts', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
)
process.exitCode = result.status ?? 1
