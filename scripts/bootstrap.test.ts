import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'

/** Installs package after package, says so, and takes its time to end when it is told to. */
const fakeNpm = `
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

const say = (text) => process.stderr.write('npm: ' + text + '\\n')
let stopped = false
if (process.env.NPM_IS_DEAF === undefined)
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => (stopped = true))
else for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => say('deaf'))
try {
  process.kill(Number(readFileSync('running', 'utf8')), 0)
  say('ENOTEMPTY: another npm is at work')
  process.exit(1)
} catch {
  writeFileSync('running', String(process.pid))
}
say('cache ' + process.env.npm_config_cache)
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
for (const name of existsSync('node_modules') ? readdirSync('node_modules') : []) {
  rmSync('node_modules/' + name, { recursive: true })
  await pause(5)
}
for (const path of Object.keys(packages).filter((path) => path !== '')) {
  say('adding ' + path)
  mkdirSync(path, { recursive: true })
  await pause(30)
  if (stopped) {
    // The real one takes seconds to undo what it has done.
    await pause(150)
    say('stopped')
    process.exit(1)
  }
  if (process.env.NPM_FAILS !== undefined) process.exit(1)
  writeFileSync(path + '/package.json', '{}')
}
mkdirSync('node_modules/node/bin')
symlinkSync(process.execPath, 'node_modules/node/bin/node')
writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }))
say('done')
`

const names = ['a', 'b', 'node', 'c', 'd']
const packages = Object.fromEntries([
  ['', { name: 'checkout' }],
  ...names.map((name) => [`node_modules/${name}`, { version: '1.0.0' }]),
])

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

interface Started {
  readonly said: () => string
  readonly stop: (signal: NodeJS.Signals) => void
  /** Resolves when the process says it; rejects when it ends before. */
  says(text: string): Promise<void>
  readonly end: Promise<number | null>
}

function checkout() {
  const root = mkdtempSync(join(tmpdir(), 'prehend-bootstrap-'))
  folders.push(root)
  mkdirSync(join(root, 'scripts'))
  copyFileSync(join(import.meta.dirname, 'bootstrap.mjs'), join(root, 'scripts/bootstrap.mjs'))
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }))
  writeFileSync(join(root, 'npm-cli.mjs'), fakeNpm)
  writeFileSync(join(root, 'program.mjs'), "console.error('ran on', process.argv0)")
  return { root, start: (environment?: NodeJS.ProcessEnv) => started(root, environment) }
}

function started(root: string, environment: NodeJS.ProcessEnv = {}): Started {
  const env = { ...process.env, npm_execpath: join(root, 'npm-cli.mjs'), npm_lifecycle_event: '', ...environment }
  const child = spawn(process.execPath, ['scripts/bootstrap.mjs', 'program.mjs'], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const end = once(child, 'close').then(([code]) => code as number | null)
  return {
    end,
    said: () => said,
    stop: (signal) => child.kill(signal),
    async says(text) {
      while (!said.includes(text)) {
        if (child.exitCode !== null) throw new Error(`it ended without saying ${text}:\n${said}`)
        await once(child.stderr, 'data')
      }
    },
  }
}

async function finished(run: Started): Promise<readonly [code: number | null, said: string]> {
  return [await run.end, run.said()]
}

it('installs once, and then runs without npm', async () => {
  const { start, root } = checkout()
  const first = start()
  expect(await first.end).toBe(0)
  expect(first.said()).toContain(`ran on ${join(root, 'node_modules/node/bin/node')}`)
  const second = start({ npm_execpath: '/nowhere/npm-cli.js' })
  expect([await second.end, second.said()]).toEqual([0, `ran on ${join(root, 'node_modules/node/bin/node')}\n`])
})

it.each(names)('Ctrl-C at package %s: npm has ended before we do, and a start right after it works', async (name) => {
  const { start } = checkout()
  const first = start()
  await first.says(`adding node_modules/${name}`)
  first.stop('SIGINT')
  expect(await first.end).toBe(130)
  expect(first.said()).toContain('npm: stopped')
  expect(await finished(start())).toEqual([0, expect.stringMatching(/^ran on .*node_modules\/node\/bin\/node$/m)])
})

it('killed outright, the start after it waits for the npm that was left behind, and installs anew', async () => {
  const { start } = checkout()
  const first = start()
  await first.says('adding node_modules/b')
  first.stop('SIGKILL')
  const second = start()
  await second.says('waiting for it to end')
  expect(await finished(second)).toEqual([0, expect.stringContaining('ran on')])
  expect(second.said()).not.toContain('ENOTEMPTY')
})

it('an npm that does not end is killed the second time', async () => {
  const { start } = checkout()
  const first = start({ NPM_IS_DEAF: '1' })
  await first.says('adding node_modules/a')
  first.stop('SIGINT')
  await first.says('npm: deaf')
  first.stop('SIGINT')
  expect(await first.end).toBe(130)
  expect(await finished(start())).toEqual([0, expect.stringContaining('ran on')])
})

it('of two at the same time one installs, and both run', async () => {
  const { start } = checkout()
  const both = await Promise.all([finished(start()), finished(start())])
  expect(both.map(([code]) => code)).toEqual([0, 0])
  const said = both.map(([, text]) => text).join('')
  expect(said.match(/^npm: done$/gm)).toHaveLength(1)
  expect(said.match(/^ran on /gm)).toHaveLength(2)
})

it('packages that npm thinks are there and are not are installed again', async () => {
  const { start, root } = checkout()
  await finished(start())
  rmSync(join(root, 'node_modules/node'), { recursive: true })
  expect(await finished(start())).toEqual([0, expect.stringMatching(/npm: done[^]*ran on/)])
})

it('an install that fails says so, and the next start tries again', async () => {
  const { start } = checkout()
  expect(await finished(start({ NPM_FAILS: '1' }))).toEqual([1, expect.stringContaining('The next start tries again.')])
  expect(await finished(start())).toEqual([0, expect.stringContaining('ran on')])
})

it('where dependencies are missing and nothing can be written, it says what to do', async () => {
  const { start, root } = checkout()
  mkdirSync(join(root, '.prehend-installing'))
  const [code, said] = await finished(start())
  expect([code, said]).toEqual([
    1,
    `prehend: ${root} cannot be written to (EISDIR), and dependencies are missing. Make it writable, or use a copy.\n`,
  ])
})

it('where npm cannot write to its cache, as in a read-only home, another folder serves', async () => {
  const { start, root } = checkout()
  const [code, said] = await finished(start({ npm_config_cache: join(root, 'program.mjs', 'cache') }))
  expect([code, said]).toEqual([0, expect.stringContaining(`npm: cache ${join(tmpdir(), 'prehend-npm-cache')}\n`)])
})
