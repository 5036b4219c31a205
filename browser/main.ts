// Tries the inspector in a real browser: Chromium of the system's packages, which is installed where it is missing and we may.
// usage: npm run -s browser [-- TEST…]
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { chromiumPath } from './chromium.ts'

const root = resolve(import.meta.dirname, '..')

if (chromiumPath() === undefined) {
  console.log('installing chromium from the packages of this system …')
  const install = 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends'
  spawnSync('sh', ['-c', `${install} chromium fonts-dejavu-core`], { stdio: ['ignore', 'ignore', 'inherit'] })
}
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
