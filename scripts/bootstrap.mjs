// Runs a file on the pinned Node, installing dependencies first when they are missing or out of date.
// usage: node scripts/bootstrap.mjs FILE [ARGUMENTS…]
// Written for any Node that can run npm: no dependencies, no recent syntax.
import { spawn, spawnSync } from 'child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'fs'
import { constants } from 'os'
import { delimiter, dirname, join } from 'path'
import { fileURLToPath } from 'url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8')
const wanted = JSON.parse(lockText).packages
const stamp = join(modules, '.prehend-installed')

function present() {
  const hidden = readJson(join(modules, '.package-lock.json'))
  return hidden ? hidden.packages : {}
}

/** Compares versions, not file times: a checkout or a copy changes times, and an install writes both files at once. */
function hasEveryVersion() {
  const found = present()
  return Object.keys(wanted).every((path) => {
    const entry = wanted[path]
    if (path === '' || entry.link) return true
    if (!found[path]) return Boolean(entry.optional || entry.devOptional || entry.peer)
    return found[path].version === entry.version
  })
}

function fits(names, name) {
  return !names || names.indexOf(name) >= 0
}

function isForThisMachine(entry) {
  if (!fits(entry.os, process.platform) || !fits(entry.cpu, process.arch)) return false
  return !entry.libc || process.platform !== 'linux' || fits(entry.libc, isMusl() ? 'musl' : 'glibc')
}

/** Node's own report knows the C library too, but takes a third of a second. */
function isMusl() {
  return existsSync('/lib') && readdirSync('/lib').some((name) => name.indexOf('ld-musl-') === 0)
}

/** npm leaves out, without a word, executables whose `engines` the Node that runs npm is too old for. */
function lacksExecutables() {
  const found = present()
  return Object.keys(wanted).some((path) => {
    const entry = wanted[path]
    return entry.optional && entry.os && !found[path] && isForThisMachine(entry)
  })
}

/** The stamp ends the search for executables that no registry has. */
function isInstalled() {
  if (!hasEveryVersion()) return false
  return !lacksExecutables() || (existsSync(stamp) && readFileSync(stamp, 'utf8') === lockText)
}

/** npm started us, most likely; its own file is then the one npm that is certain to exist. */
function npmCommand(node) {
  const cli = process.env.npm_execpath || ''
  if (/npm-cli\.[cm]?js$/.test(cli) && existsSync(cli)) return { file: node, prefix: [cli], shell: false }
  const isWindows = process.platform === 'win32'
  return { file: isWindows ? 'npm.cmd' : 'npm', prefix: [], shell: isWindows }
}

function fail(message) {
  process.stderr.write('prehend: ' + message + '\n')
  process.exit(1)
}

function runNpm(node, args) {
  const npm = npmCommand(node)
  const all = npm.prefix.concat(args, ['--include=dev', '--no-audit', '--no-fund', '--loglevel=error'])
  const env = Object.assign({}, process.env, { PATH: dirname(node) + delimiter + (process.env.PATH || '') })
  const result = spawnSync(npm.file, all, { cwd: root, env, shell: npm.shell, stdio: ['ignore', 2, 2] })
  if (result.error) fail('npm could not be started: ' + result.error.message)
  if (result.status !== 0) fail('npm ' + args[0] + ' failed; see its output above. Nothing else was run.')
}

function install() {
  process.stderr.write('prehend: installing the pinned dependencies (first run, or the lockfile changed) …\n')
  const started = Date.now()
  if (!hasEveryVersion()) runNpm(process.execPath, ['ci'])
  if (lacksExecutables()) runNpm(findNode(), ['install', '--no-save'])
  writeFileSync(stamp, lockText)
  process.stderr.write('prehend: installed in ' + Math.round((Date.now() - started) / 1000) + ' s\n')
}

function versionOf(file) {
  const result = spawnSync(file, ['--version'], { encoding: 'utf8' })
  return result.status === 0 ? result.stdout.trim().replace(/^v/, '') : undefined
}

/** The pinned Node; or the one that runs this file, where the pinned one cannot run and this one is recent enough. */
function findNode() {
  const pinned = join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(pinned)) return pinned
  // An install with scripts switched off leaves the package without its executable.
  const setup = join(modules, 'node')
  if (existsSync(setup)) {
    process.stderr.write('prehend: fetching the pinned Node …\n')
    spawnSync(process.execPath, ['installArchSpecificPackage'], { cwd: setup, stdio: ['ignore', 2, 2] })
  }
  if (existsSync(pinned) && versionOf(pinned)) return pinned
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  return fail('the pinned Node could not be installed here. Install Node 24 or later and run the command again.')
}

/** npm's shell may die of a signal without passing it on; its end is then the only sign that reaches us. */
function stopWithParent(child) {
  const parent = process.ppid
  if (!process.env.npm_lifecycle_event) return
  setInterval(() => process.ppid === parent || child.kill('SIGTERM'), 200).unref()
}

function run(node, args) {
  const path = [dirname(node), join(modules, '.bin'), process.env.PATH || ''].join(delimiter)
  const child = spawn(node, args, { stdio: 'inherit', env: Object.assign({}, process.env, { PATH: path }) })
  // A terminal sends its interrupt to the child too; everything else reaches only this process.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGQUIT']) process.on(signal, () => child.kill(signal))
  stopWithParent(child)
  child.on('error', (error) => fail(node + ' could not be started: ' + error.message))
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code))
}

if (process.argv.length < 3) fail('usage: node scripts/bootstrap.mjs FILE [ARGUMENTS…]')
if (!isInstalled()) install()
run(findNode(), process.argv.slice(2))
