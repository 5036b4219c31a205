import { expect, it } from 'vitest'
import { PrehendError } from '../../core/index.ts'
import { failedAttempts } from './failed-attempts.ts'

const unauthorized = new PrehendError('unauthorized', 'The token is not known here.', { remedy: 'Send another.' })

function attempts(wait?: (ms: number) => Promise<unknown>) {
  let nowMs = 1_000_000
  const waits: number[] = []
  const failing = failedAttempts({
    clock: () => nowMs,
    wait: wait ?? (async (ms) => void waits.push(ms)),
  })
  return { waits, failed: failing.failed, advance: (ms: number) => void (nowMs += ms) }
}

it('answers the first ten failures of an address at once, and holds the others back longer each time', async () => {
  const { waits, failed } = attempts()
  for (let at = 0; at < 10; at += 1) await failed('10.0.0.1', unauthorized)
  expect(waits).toEqual([])
  for (let at = 0; at < 8; at += 1) await failed('10.0.0.1', unauthorized)
  expect(waits).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000])
})

it('counts each address by itself, begins anew after a quiet minute, and counts no other error', async () => {
  const { waits, failed, advance } = attempts()
  for (let at = 0; at < 10; at += 1) await failed('10.0.0.1', unauthorized)
  await failed('10.0.0.2', unauthorized)
  await failed('10.0.0.1', new PrehendError('unavailable', 'Away.', { retryAfterMs: 1, remedy: 'Wait.' }))
  advance(60_000)
  await failed('10.0.0.1', unauthorized)
  expect(waits).toEqual([])
})

it('remembers 10,000 addresses and holds back 1,000 answers, so that an attack takes up no more', async () => {
  const { waits, failed } = attempts()
  for (let at = 0; at < 10; at += 1) await failed('first', unauthorized)
  for (let at = 0; at < 10_000; at += 1) await failed(`other-${at}`, unauthorized)
  await failed('first', unauthorized)
  expect(waits).toEqual([])

  let held = 0
  const busy = attempts(() => {
    held += 1
    return new Promise(() => undefined)
  })
  for (let at = 0; at < 10; at += 1) await busy.failed('one', unauthorized)
  for (let at = 0; at < 1500; at += 1) void busy.failed('one', unauthorized)
  await busy.failed('one', unauthorized)
  expect(held).toBe(1000)
})
