// Emits JavaScript and types. usage: node scripts/build.ts [OUT_DIR]
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const out = resolve(root, process.argv[2] ?? 'dist')

rmSync(out, { recursive: true, force: true })
const tsc = join(root, 'node_modules/typescript/bin/tsc')
const result = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', out], {
  cwd: root,
  stdio: 'inherit',
})
const command = join(out, 'cli/main.js')
if (existsSync(command)) chmodSync(command, 0o755)
process.exitCode = result.status ?? 1
