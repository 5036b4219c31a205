// Runs `npm start` as a user would, sends it a request, stops it, and expects a clean end.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'

const root = resolve(import.meta.dirname, '..')
const deadlineMs = 90_000

async function isLive(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health/liveness`, { signal: AbortSignal.timeout(1_000) })).ok
  } catch {
    return false
  }
}

async function answers(url: string): Promise<void> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-5.1', messages: [{ role: 'user', content: 'Hello' }] }),
  })
  const body = await response.text()
  const receipt = response.headers.get('x-prehend-pack-id')
  if (response.status !== 200 || receipt === null) throw new Error(`a request was answered ${response.status}: ${body}`)
}

const port = await freePort()
const url = `http://127.0.0.1:${port}`
const data = mkdtempSync(join(tmpdir(), 'prehend-start-'))
const env = { ...process.env, PREHEND_PORT: String(port), PREHEND_DATA: data, PREHEND_SIMULATE: '1' }

const started = performance.now()
const server = spawn('npm', ['start'], { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] })
const exited = once(server, 'exit')
try {
  while (!(await isLive(url))) {
    if (server.exitCode !== null) throw new Error(`npm start ended with ${server.exitCode}`)
    if (performance.now() - started > deadlineMs) throw new Error(`npm start was not live within ${deadlineMs} ms`)
    await sleep(200)
  }
  console.log(`npm start was live after ${((performance.now() - started) / 1000).toFixed(1)} s`)
  await answers(url)
  console.log('a request was answered')
} finally {
  server.kill('SIGTERM')
  await Promise.race([exited, sleep(15_000, undefined, { ref: false })])
  for (let waited = 0; waited < 5_000 && (await isLive(url)); waited += 200) await sleep(200)
  rmSync(data, { recursive: true, force: true })
}
if (await isLive(url)) throw new Error('npm start was stopped, but the gateway still answers')
console.log('it ended on SIGTERM')
