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
const page = readFileSync(join(root, 'docs/tenancy.md'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'prehend-tenancy-'))
let port = 0
let served: ChildProcess

function blocks(language: string): readonly string[] {
  return Array.from(
    page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm')),
    ([, code = '']) => code,
  )
}

const environment = { PATH: `${join(folder, 'bin')}:${env['PATH']}`, HOME: folder }

/** Runs commands of the page in one shell, from its exports on. */
function run(...commands: readonly string[]) {
  const script = ['set -e', ...commands].join('\n').replaceAll(':8484', `:${port}`)
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script], {
    cwd: folder,
    encoding: 'utf8',
    env: environment,
    timeout: 60_000,
  })
  return { status, stdout, stderr }
}

const [configuration = ''] = blocks('json')
// The block between needs a gateway of its own.
const [serve = '', keys = '', ask = '', overHttp = '', , settings = '', audit = ''] = blocks('sh')
const [exported = '', create = '', list = ''] = keys.trim().split('\n')

beforeAll(async () => {
  port = await freePort()
  mkdirSync(join(folder, 'bin'))
  const main = `exec ${execPath} ${join(root, 'src/cli/main.ts')} "$@"\n`
  writeFileSync(join(folder, 'bin/prehend'), `#!/bin/sh\n${main}`, { mode: 0o755 })
  writeFileSync(join(folder, 'gateway.json'), configuration)
  const command = `exec ${serve.trim()} --port ${port}`
  served = spawn('bash', ['-c', command], { cwd: folder, env: environment, stdio: 'ignore' })
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

it('what docs/tenancy.md shows does what it says, command by command', () => {
  expect(run(exported, create)).toMatchObject({ status: 0, stdout: '' })
  expect(readFileSync(join(folder, 'key.txt'), 'utf8')).toMatch(/^phd_[\w-]{43}\n$/)
  expect(run(exported, list).stdout).toMatch(/^id .*\nkey_[\w-]{16} +build server +acme /)
  expect(JSON.parse(run(ask).stdout)).toMatchObject({ object: 'chat.completion' })
  expect(JSON.parse(run(exported, overHttp).stdout)).toMatchObject({ tenant: 'acme', scopes: ['inference', 'read'] })
  const set = run(exported, settings)
  expect([set.status, set.stderr]).toEqual([0, ''])
  expect(set.stdout).toContain('thrifty')
  const log = run(exported, audit)
  expect([log.status, log.stderr]).toEqual([0, ''])
  expect(log.stdout).toMatch(
    /settings\.remove[\s\S]*settings\.change[\s\S]*key\.create[\s\S]*key\.create[\s\S]*verified: 4 entries/,
  )
})
