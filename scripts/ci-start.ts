// Runs `npm start` as a user would, waits until the gateway is live, stops it, and expects a clean end.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const root = resolve(import.meta.dirname, '..')
const deadlineMs = 90_000
const url = 'http://127.0.0.1:8484/health/liveness'

async function isLive(): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(1_000) })).ok
  } catch {
    return false
  }
}

if (await isLive()) throw new Error(`something already answers at ${url}`)

const started = performance.now()
const server = spawn('npm', ['start'], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
const exited = once(server, 'exit')
let live = false
while (!live && server.exitCode === null && performance.now() - started < deadlineMs) {
  await sleep(200)
  live = await isLive()
}
const seconds = ((performance.now() - started) / 1000).toFixed(1)
server.kill('SIGTERM')
await Promise.race([exited, sleep(15_000, undefined, { ref: false })])

if (!live) throw new Error(`npm start was not live at ${url} after ${seconds} s (exit code ${server.exitCode})`)
if (server.exitCode === null && server.signalCode === null)
  throw new Error('npm start did not end within 15 s of SIGTERM')
if (await isLive()) throw new Error('npm start ended, but the gateway still answers')
console.log(`npm start was live after ${seconds} s and ended on SIGTERM`)
