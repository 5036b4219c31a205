// Runs a file on the pinned Node, installing dependencies first when they are missing, out of date or half there.
// usage: node scripts/bootstrap.mjs FILE [ARGUMENTS…]
// Written for any Node that can run npm: no dependencies, no recent syntax.
import { spawn, spawnSync } from 'child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, unlinkSync, writeFileSync } from 'fs'
import { constants, homedir, tmpdir } from 'os'
import { delimiter, dirname, join } from 'path'
import { fileURLToPath } from 'url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8')
const wanted = JSON.parse(lockText).packages
/** Written last. */
const stamp = join(modules, '.prehend-installed')
/** There from before an install until it has succeeded; holds the ids of the processes that are at it. */
const marker = join(root, '.prehend-installing')

function say(message) {
  process.stderr.write('prehend: ' + message + '\n')
}

function fail(message) {
  say(message)
  process.exit(1)
}

function pause(milliseconds) {
  return new Promise((done) => setTimeout(done, milliseconds))
}

/** What npm says that it has installed. */
function present() {
  try {
    return JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')).packages
  } catch {
    return {}
  }
}

/** Compares versions, not file times: a checkout or a copy changes times, and an install writes both files at once. */
function hasEveryPackage() {
  const found = present()
  return Object.keys(wanted).every((path) => {
    const entry = wanted[path]
    if (path === '' || entry.link) return true
    if (!found[path]) return Boolean(entry.optional || entry.devOptional || entry.peer)
    return found[path].version === entry.version && existsSync(join(root, path, 'package.json'))
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
  if (existsSync(marker) || !hasEveryPackage()) return false
  return !lacksExecutables() || (existsSync(stamp) && readFileSync(stamp, 'utf8') === lockText)
}

/** Who is at an install: the one that runs this file, and its npm, which may outlive it. */
function holders() {
  try {
    return readFileSync(marker, 'utf8').split(' ').map(Number)
  } catch {
    return []
  }
}

function isAlive(id) {
  if (!(id > 0)) return false
  try {
    return process.kill(id, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Waits until nobody else installs. True where an install was cut off, which may have left anything behind. */
async function claimInstall() {
  for (let waiting = false; ;) {
    const wasCutOff = existsSync(marker)
    if (!holders().some(isAlive)) {
      mark(process.pid)
      // Somebody else may have done the same at the same time: the last one to write has it.
      await pause(50)
      if (holders()[0] === process.pid) return wasCutOff
    }
    if (!waiting) say('another install is at work here; waiting for it to end …')
    waiting = true
    await pause(200)
  }
}

function mark(text) {
  try {
    writeFileSync(marker, String(text))
  } catch (error) {
    fail(
      root +
        ' cannot be written to (' +
        error.code +
        '), and dependencies are missing. Make it writable, or use a copy.',
    )
  }
}

/** npm started us, most likely; its own file is then the one npm that is certain to exist. */
function npmCommand(node) {
  const cli = process.env.npm_execpath || ''
  if (/npm-cli\.[cm]?js$/.test(cli) && existsSync(cli)) return { file: node, prefix: [cli], shell: false }
  const isWindows = process.platform === 'win32'
  return { file: isWindows ? 'npm.cmd' : 'npm', prefix: [], shell: isWindows }
}

/** npm's own cache folder; or one in the temporary folder, where npm's cannot be written to, as in a read-only home. */
function npmCache() {
  const usual = process.env.npm_config_cache || join(homedir(), '.npm')
  const probe = join(usual, '.prehend-' + process.pid)
  try {
    mkdirSync(probe, { recursive: true })
    rmdirSync(probe)
    return usual
  } catch {
    return join(tmpdir(), 'prehend-npm-cache')
  }
}

async function npm(node, args) {
  const { file, prefix, shell } = npmCommand(node)
  const all = prefix.concat(args, ['--include=dev', '--no-audit', '--no-fund', '--loglevel=error'])
  const PATH = dirname(node) + delimiter + (process.env.PATH || '')
  const env = Object.assign({}, process.env, { PATH, npm_config_cache: npmCache() })
  const child = spawn(file, all, { cwd: root, env, shell, stdio: ['ignore', 2, 2] })
  mark(process.pid + ' ' + child.pid)
  return (await endOfInstaller(child, 'npm')) === 0
}

async function install() {
  const wasCutOff = await claimInstall()
  if (!wasCutOff && hasEveryPackage() && !lacksExecutables()) return unlinkSync(marker)
  say('installing the pinned dependencies (first run, or the lockfile changed) …')
  const started = Date.now()
  if (wasCutOff || !hasEveryPackage()) {
    // What an install that was cut off has left behind may make the first attempt stumble.
    const done = (await npm(process.execPath, ['ci'])) || (wasCutOff && (await npm(process.execPath, ['ci'])))
    if (!done) failInstall('npm ci')
  }
  if (lacksExecutables() && !(await npm(await findNode(), ['install', '--no-save']))) failInstall('npm install')
  writeFileSync(stamp, lockText)
  unlinkSync(marker)
  say('installed in ' + Math.round((Date.now() - started) / 1000) + ' s')
}

function failInstall(command) {
  fail(command + ' failed; see its output above. Is the registry reachable? The next start tries again.')
}

function versionOf(file) {
  const result = spawnSync(file, ['--version'], { encoding: 'utf8' })
  return result.status === 0 ? result.stdout.trim().replace(/^v/, '') : undefined
}

/** The pinned Node; or the one that runs this file, where the pinned one cannot run and this one is recent enough. */
async function findNode() {
  const pinned = join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(pinned)) return pinned
  // An install with scripts switched off leaves the package without its executable.
  const setup = join(modules, 'node')
  if (existsSync(setup)) {
    say('fetching the pinned Node …')
    const child = spawn(process.execPath, ['installArchSpecificPackage'], { cwd: setup, stdio: ['ignore', 2, 2] })
    await endOfInstaller(child, 'its installer')
  }
  if (existsSync(pinned) && versionOf(pinned)) return pinned
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  return fail(
    'the pinned Node could not be fetched. Check that the registry is reachable, or install Node 24 or later; then run the command again.',
  )
}

/** npm's shell may die of a signal without passing it on; its end is then the only sign that reaches us. */
function watchParent(stop) {
  const parent = process.ppid
  if (!process.env.npm_lifecycle_event) return undefined
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    stop('SIGTERM')
  }, 200)
  return timer.unref()
}

/** Gives the exit code of a child; `stop` is told of every signal meanwhile, which would else end only this process. */
function endOf(child, name, stop) {
  return new Promise((done) => {
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']
    for (const signal of signals) process.on(signal, stop)
    const timer = watchParent(stop)
    child.on('error', (error) => fail(name + ' could not be started: ' + error.message))
    child.on('exit', (code, signal) => {
      clearInterval(timer)
      for (const each of signals) process.removeListener(each, stop)
      done(signal ? 128 + constants.signals[signal] : code)
    })
  })
}

/** A terminal sends its interrupt to the child too; everything else reaches only this process. */
function passOn(child, signal) {
  if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
}

/** Whoever stops us stops the install, and we end when it has ended; whoever cannot wait for that says so a second time. */
async function endOfInstaller(child, name) {
  let stoppedBy
  const code = await endOf(child, name, (signal) => {
    if (stoppedBy) return child.kill('SIGKILL')
    stoppedBy = signal
    say('stopping the install (at once, if you stop it again); the next start begins it anew …')
    passOn(child, signal)
  })
  if (stoppedBy) process.exit(128 + constants.signals[stoppedBy])
  return code
}

async function run(node, args) {
  const path = [dirname(node), join(modules, '.bin'), process.env.PATH || ''].join(delimiter)
  const child = spawn(node, args, { stdio: 'inherit', env: Object.assign({}, process.env, { PATH: path }) })
  process.exit(await endOf(child, node, (signal) => passOn(child, signal)))
}

async function main() {
  if (process.argv.length < 3) fail('usage: node scripts/bootstrap.mjs FILE [ARGUMENTS…]')
  if (!isInstalled()) await install()
  await run(await findNode(), process.argv.slice(2))
}

main().catch((error) => fail(String(error && error.stack)))
