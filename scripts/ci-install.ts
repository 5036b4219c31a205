// Packs the package, installs the tarball into an empty project, imports every entry and runs the command.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'prehend-install-'))

function run(file: string, args: readonly string[], cwd: string): string {
  return execFileSync(file, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}

function packedName(): string {
  const packed: readonly { filename: string }[] = JSON.parse(
    run('npm', ['pack', '--json', '--loglevel=error', '--pack-destination', folder], root).replace(/^[^[]*/, ''),
  )
  const name = packed[0]?.filename
  if (name === undefined) throw new Error('npm pack made no tarball')
  return name
}

function entryNames(): readonly string[] {
  const manifest: { exports: Record<string, unknown> } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return Object.keys(manifest.exports)
    .filter((path) => path !== './package.json')
    .map((path) => path.replace(/^\./, 'prehend'))
}

try {
  const tarball = packedName()
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', `./${tarball}`], folder)
  for (const name of entryNames()) {
    const script = `const room = await import('${name}'); console.log('${name}', Object.keys(room).length, 'exports')`
    process.stdout.write(run(process.execPath, ['--input-type=module', '-e', script], folder))
  }
  run(process.execPath, ['node_modules/prehend/dist/cli/main.js', '--help'], folder)
  console.log('the packed package installs, imports and runs')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
