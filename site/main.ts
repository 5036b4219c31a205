// Builds docs/ as a site below site/dist and checks each link of it. usage: npm run -s site [-- build|dev|preview] [-- --base /PATH/]
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { crawl } from './crawl/crawl.ts'
import type { BuiltSite } from './crawl/crawl.ts'
import { followDocs, writePages } from './reference/write-pages.ts'

const folder = import.meta.dirname
const output = join(folder, 'dist')
const folders = { root: resolve(folder, '..'), site: folder, pages: join(folder, '.pages') }

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly optional?: boolean }>>
}

function run(command: string, args: readonly string[]): Promise<number> {
  const child = spawn(command, args, {
    cwd: folder,
    stdio: 'inherit',
    shell: command === 'npm' && process.platform === 'win32',
  })
  return new Promise((done, fail) => {
    child.on('error', fail)
    child.on('close', (code) => done(code ?? 1))
  })
}

/** True where npm has installed each package at the version of the lock. */
function isInstalled(): boolean {
  const record = join(folder, 'node_modules/.package-lock.json')
  if (!existsSync(record)) return false
  const read = (file: string): Lock['packages'] => (JSON.parse(readFileSync(file, 'utf8')) as Lock).packages
  const found = read(record)
  return Object.entries(read(join(folder, 'package-lock.json'))).every(
    ([path, { version, optional }]) => path === '' || found[path]?.version === version || (optional && !found[path]),
  )
}

async function install(): Promise<void> {
  if (isInstalled()) return
  console.log('installing the packages of site/package-lock.json …')
  if ((await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'])) !== 0)
    throw new Error('npm ci failed in site/; see its output above. Is the registry reachable?')
}

function vitepress(command: string, options: readonly string[]): Promise<number> {
  return run(process.execPath, [join(folder, 'node_modules/vitepress/bin/vitepress.js'), command, '.', ...options])
}

function builtFiles(): { readonly site: BuiltSite; readonly bytes: number } {
  const files = readdirSync(output, { recursive: true, encoding: 'utf8' }).filter((file) =>
    statSync(join(output, file)).isFile(),
  )
  const textOf = (file: string): string | undefined =>
    /\.(?:html|css)$/.test(file) ? readFileSync(join(output, file), 'utf8') : undefined
  return {
    site: new Map(files.map((file) => [file.replaceAll('\\', '/'), textOf(file)])),
    bytes: files.reduce((sum, file) => sum + statSync(join(output, file)).size, 0),
  }
}

/** False where a public name has no docstring, or a docstring has a link that leads nowhere. */
async function writeAll(): Promise<boolean> {
  const started = performance.now()
  const faults = await writePages(folders)
  for (const fault of faults) console.error(fault)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(
    `TypeScript API: ${faults.length === 0 ? 'every name has a docstring' : `${faults.length} faults`}, ${seconds} s`,
  )
  return faults.length === 0
}

async function buildAndCrawl(options: readonly string[]): Promise<number> {
  const started = performance.now()
  rmSync(output, { recursive: true, force: true })
  const documented = await writeAll()
  if ((await vitepress('build', options)) !== 0) return 1
  const { site, bytes } = builtFiles()
  const at = options.indexOf('--base')
  const { pages, links, faults } = crawl(site, at < 0 ? '/' : options[at + 1])
  for (const fault of faults) console.error(fault)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const end = faults.length === 0 ? 'every link and anchor resolves' : `${faults.length} faults`
  console.log(`site: ${pages} pages, ${links} links, ${bytes} bytes in ${join('site', 'dist')}, ${seconds} s; ${end}`)
  return documented && faults.length === 0 ? 0 : 1
}

const [command = 'build', ...options] = process.argv.slice(2)
if (!['build', 'dev', 'preview'].includes(command)) {
  console.error(`unknown command ${command}; there are build, dev and preview`)
  process.exit(2)
}
await install()
if (command === 'dev') {
  await writeAll()
  followDocs(folders)
}
process.exitCode = command === 'build' ? await buildAndCrawl(options) : await vitepress(command, options)
