import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { leanStart, startVariables } from './lean-start.ts'
import type { Started } from './lean-start.ts'

const data = mkdtempSync(join(tmpdir(), 'prehend-lean-'))
afterAll(() => rmSync(data, { recursive: true, force: true }))

const started: Started = {
  platform: 'linux',
  execPath: '/bin/node',
  execArgv: ['--enable-source-maps'],
  argv: ['/bin/node', '/bin/prehend', 'serve', '--port', '0'],
  env: { HOME: '/home/one', OPENAI_API_KEY: undefined },
}

it('a command that serves is started again with bounds on what V8 and the allocator keep', () => {
  expect(leanStart(started)).toEqual({
    args: ['/bin/node', '--max-semi-space-size=32', '--enable-source-maps', '/bin/prehend', 'serve', '--port', '0'],
    env: {
      HOME: '/home/one',
      MALLOC_ARENA_MAX: '2',
      MALLOC_TRIM_THRESHOLD_: '1048576',
      PREHEND_LEAN_START: 'MALLOC_ARENA_MAX MALLOC_TRIM_THRESHOLD_',
    },
  })
})

it('what somebody has set stays as it is, and is not taken away again', () => {
  const env = { NODE_OPTIONS: '--max-semi-space-size=64', MALLOC_ARENA_MAX: '8' }
  const lean = leanStart({ ...started, env })
  expect(lean?.args).toEqual(['/bin/node', '--enable-source-maps', ...started.argv.slice(1)])
  expect(lean?.env).toMatchObject(env)
  expect(startVariables(lean?.env ?? {})).toEqual(['PREHEND_LEAN_START', 'MALLOC_TRIM_THRESHOLD_'])
})

it.each<Partial<Started>>([
  { platform: 'win32' },
  { channel: {} },
  { env: { PREHEND_LEAN_START: '' } },
  { argv: ['/bin/node', '/bin/prehend', 'compile'] },
  { argv: ['/bin/node', '/bin/prehend'] },
])('goes on as it is: %j', (other) => {
  expect(leanStart({ ...started, ...other })).toBeUndefined()
})

it.runIf(process.platform === 'linux')('a server is bounded from its start, and says nothing of it', async () => {
  const command = [join(import.meta.dirname, 'main.ts'), 'serve', '--json', '--port', '0', '--data', data]
  const env = { ...process.env, PREHEND_SIMULATE: '1' }
  const child = spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk) => (said += String(chunk)))
  try {
    await once(child.stdout, 'data')
    const own = `/proc/${child.pid}`
    expect(readFileSync(`${own}/cmdline`, 'utf8').split('\0')).toContain('--max-semi-space-size=32')
    expect(readFileSync(`${own}/environ`, 'utf8').split('\0')).toContain('MALLOC_ARENA_MAX=2')
    expect(said).toBe('')
  } finally {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
})
