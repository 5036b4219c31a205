// Emits JavaScript and types, and the inspector's page. usage: node scripts/build.ts [OUT_DIR]
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildInspector } from './build-inspector.ts'

const root = resolve(import.meta.dirname, '..')
const out = resolve(root, process.argv[2] ?? 'dist')

rmSync(out, { recursive: true, force: true })
const tsc = join(root, 'node_modules/typescript/bin/tsc')
const result = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', out], {
  cwd: root,
  stdio: 'inherit',
})
process.exitCode = result.status ?? 1
if (result.status === 0) await buildInspector(join(out, 'inspector'))
