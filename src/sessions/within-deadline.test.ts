import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setTimeout as after } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { timely } from './within-deadline.ts'

it('what takes longer is late, and no later than five times its limit', async () => {
  const beganMs = performance.now()
  expect((await timely(new Promise(() => {}), 80)).kind).toBe('late')
  const tookMs = performance.now() - beganMs
  expect(tookMs).toBeGreaterThan(70)
  expect(tookMs).toBeLessThan(2000)
})

it('what is done or has failed in time says so', async () => {
  expect(await timely(after(5, 'value'), 500)).toEqual({ kind: 'done', value: 'value' })
  expect(await timely(Promise.reject(new Error('no')), 500)).toMatchObject({ kind: 'failed', error: { message: 'no' } })
})

it.runIf(existsSync('/proc/self/schedstat'))('time without a processor does not count', async () => {
  const code = `require('node:worker_threads').parentPort.postMessage('busy'); for (;;);`
  const busy = Array.from({ length: 4 * availableParallelism() }, () => new Worker(code, { eval: true }))
  await Promise.all(busy.map((worker) => new Promise((begun) => worker.once('message', begun))))
  const outcome = await timely(after(600, 'value'), 400)
  await Promise.all(busy.map((worker) => worker.terminate()))
  expect(outcome).toEqual({ kind: 'done', value: 'value' })
})
