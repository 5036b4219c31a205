import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { env, execPath } from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from './free-port.ts'

const root = resolve(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/start.md'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'prehend-start-page-'))
const environment = { PATH: `${join(folder, 'bin')}:${env['PATH']}`, HOME: folder }
const [start = '', ask = '', wrap = '', look = ''] = Array.from(
  page.matchAll(/^```sh\n([\s\S]*?)^```$/gm),
  ([, code = '']) => code.trim(),
)
let port = 0
let served: ChildProcess

/** Runs commands of the page in one shell. */
function run(commands: string) {
  const script = `set -e\n${commands.replaceAll(':8484', `:${port}`)}`
  const options = { cwd: folder, encoding: 'utf8', env: environment, timeout: 60_000 } as const
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script], options)
  return { status, stdout, stderr }
}

beforeAll(async () => {
  port = await freePort()
  mkdirSync(join(folder, 'bin'))
  const main = `shift\nexec ${execPath} ${join(root, 'src/cli/main.ts')} "$@"\n`
  writeFileSync(join(folder, 'bin/npx'), `#!/bin/sh\n${main}`, { mode: 0o755 })
  served = spawn('bash', ['-c', `exec ${start} --port ${port}`], { cwd: folder, env: environment, stdio: 'ignore' })
  for (;;) {
    const ready = await fetch(`http://127.0.0.1:${port}/health/readiness`).catch(() => undefined)
    if (ready?.ok) break
    await delay(100)
  }
})

afterAll(async () => {
  const ended = once(served, 'exit')
  served.kill()
  await ended
  rmSync(folder, { recursive: true })
})

it('what docs/start.md shows does what it says, command by command', () => {
  expect(JSON.parse(run(ask).stdout)).toMatchObject({ object: 'chat.completion' })
  expect(run(wrap)).toMatchObject({ status: 0, stdout: expect.stringContaining('ANTHROPIC_BASE_URL') as string })
  const shown = run(look)
  expect([shown.status, shown.stderr]).toEqual([0, ''])
  expect(shown.stdout).toMatch(/^session .*own cost.*saved.*why whole$/m)
  expect(shown.stdout).toMatch(/^first .* no-tools$/m)
  expect(shown.stdout).toMatch(/^example-\S+ .* 46 /m)
  expect(shown.stdout).toMatch(/^request .*cost +saved$/m)
})
