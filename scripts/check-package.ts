// Builds into a temporary folder as the package that npm would publish, lints it, imports every entry, and looks at what its
// types and pages refer to.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix, resolve } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

interface PackageJson {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly bin: Readonly<Record<string, string>>
  readonly [member: string]: unknown
}

/** What somebody who has found the package on a registry goes by. */
const whereabouts = ['repository', 'homepage', 'bugs', 'license', 'description'] as const

const root = resolve(import.meta.dirname, '..')

function build(folder: string): boolean {
  const result = spawnSync(process.execPath, ['scripts/build.ts', join(folder, 'dist')], {
    cwd: root,
    stdio: 'inherit',
  })
  for (const file of ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'bin'])
    cpSync(join(root, file), join(folder, file), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir')
  return result.status === 0
}

function missingFiles(folder: string, manifest: PackageJson): readonly string[] {
  const targets = Object.values(manifest.exports).flatMap((target) =>
    typeof target === 'string' ? [target] : Object.values(target),
  )
  return [...targets, ...Object.values(manifest.bin)].filter((file) => !existsSync(join(folder, file)))
}

async function lint(folder: string, manifest: PackageJson): Promise<readonly string[]> {
  const { messages } = await publint({ pkgDir: folder, strict: true, pack: false })
  return messages.map((message) => formatMessage(message, manifest, { color: false }) ?? message.code)
}

/** Imports by name, from inside the folder, as a user of the package would. */
function importFailures(folder: string, manifest: PackageJson): readonly string[] {
  const names = Object.keys(manifest.exports)
    .filter((path) => path !== './package.json')
    .map((path) => path.replace(/^\./, 'prehend'))
  return names.flatMap((name) => {
    const script = `const room = await import(${JSON.stringify(name)}); if (Object.keys(room).length === 0) throw new Error('no exports')`
    const result = spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: folder, encoding: 'utf8' })
    return result.status === 0 ? [] : [`import '${name}' failed: ${result.stderr.trim()}`]
  })
}

/** A store on a thread of its own: the file that the thread runs must be found as built. */
function threadFailures(folder: string): readonly string[] {
  const script = `
    const { threadedSqliteStore } = await import('prehend')
    const store = await threadedSqliteStore({ path: ${JSON.stringify(join(folder, 'data', 'store.db'))} })
    const scope = { tenant: '', session: '' }
    await store.commit({ scope, nowMs: 0, writes: [{ table: 'values', key: 'key', value: 'value' }] })
    if ((await store.read('values').get('key')) !== 'value') throw new Error('not written')
    await store.close()`
  const result = spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: folder, encoding: 'utf8' })
  return result.status === 0 ? [] : [`a store on a thread of its own failed: ${result.stderr.trim()}`]
}

/** Numbers of requirements, whose list is no part of the package. */
function numbersInTypes(folder: string): readonly string[] {
  const files = readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => file.endsWith('.d.ts'))
    .flatMap((file) => {
      const [number] = /\b[GVCPAXBN]-\d+/.exec(readFileSync(join(folder, 'dist', file), 'utf8')) ?? []
      return number === undefined ? [] : [`dist/${file} speaks of ${number}, which no user can look up`]
    })
}

/** Links of the pages that are packed to files that are not. */
function deadLinks(): readonly string[] {
  const packed = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root, encoding: 'utf8' })
  const [{ files }] = JSON.parse(packed.stdout.replace(/^[^[]*/, '')) as [
    { readonly files: readonly { path: string }[] },
  ]
  const paths = new Set(files.map(({ path }) => path))
  return [...paths]
    .filter((path) => path.endsWith('.md'))
    .flatMap((page) => {
      const links = readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)
      const targets = Array.from(links, ([, target = '']) => posix.join(posix.dirname(page), target))
      return targets
        .filter((target) => !paths.has(target))
        .map((target) => `${page} links to ${target}, which is not packed`)
    })
}

async function problems(folder: string): Promise<readonly string[]> {
  if (!build(folder)) return ['the build failed']
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageJson
  const missing = missingFiles(folder, manifest)
  if (missing.length > 0) return missing.map((file) => `package.json names ${file}, which the build does not make`)
  return [
    ...whereabouts.filter((member) => !manifest[member]).map((member) => `package.json has no ${member}`),
    ...(await lint(folder, manifest)),
    ...importFailures(folder, manifest),
    ...threadFailures(folder),
    ...numbersInTypes(folder),
    ...deadLinks(),
  ]
}

const folder = mkdtempSync(join(tmpdir(), 'prehend-package-'))
try {
  const found = await problems(folder)
  for (const problem of found) console.error(problem)
  process.exitCode = found.length === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
