import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'

const data = mkdtempSync(join(tmpdir(), 'prehend-npx-'))
afterAll(() => rmSync(data, { recursive: true, force: true }))

/** Stands for npx: starts the command and passes nothing on. */
const npx = `
  const { spawn } = require('node:child_process')
  spawn(process.execPath, process.argv.slice(1), { stdio: 'inherit' })
`

it('a server that npx has started ends with it', async () => {
  const command = [join(import.meta.dirname, 'main.ts'), 'serve', '--json', '--port', '0', '--data', data]
  const env = { ...process.env, npm_command: 'exec', PREHEND_SIMULATE: '1' }
  const parent = spawn(process.execPath, ['-e', npx, ...command], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(parent.stdout, 'data')) as [Buffer]
  const { url } = JSON.parse(line.toString()) as { readonly url: string }
  expect((await fetch(`${url}/health/liveness`)).status).toBe(200)
  parent.kill('SIGKILL')
  // The pipe closes when the last process that can write to it has ended.
  await once(parent.stdout, 'close')
  await expect(fetch(`${url}/health/liveness`)).rejects.toThrow('fetch failed')
})
