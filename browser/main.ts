// Tries the inspector in a real browser: Chromium of the system's packages, which is installed where it is missing and we may.
// usage: npm run -s browser [-- TEST…]
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { installPackages } from '../scripts/install-packages.ts'
import { chromiumPath } from './chromium.ts'

const root = resolve(import.meta.dirname, '..')

if (chromiumPath() === undefined) installPackages(['chromium', 'fonts-dejavu-core'])
if (chromiumPath() === undefined) {
  console.error('there is no chromium here; install one, or say where it is: PREHEND_CHROMIUM=/path/to/chromium')
  process.exit(1)
}
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const result = spawnSync(
  process.execPath,
  [vitest, 'run', '--config', 'browser/vitest.config.ts', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
)
process.exitCode = result.status ?? 1
