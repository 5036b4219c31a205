import { expect, it } from 'vitest'
import { PrehendError } from '../core/index.ts'
import { manualClock } from '../providers/index.ts'
import { inProcessHot } from '../stores/index.ts'
import type { Hot } from '../stores/index.ts'
import { watchedHot } from './watched-hot.ts'

function watched() {
  const server = inProcessHot()
  const clock = manualClock(0)
  const seen: unknown[] = []
  let isGone = false
  const answer = <Given extends readonly unknown[], Answer>(work: (...given: Given) => Promise<Answer>) => {
    return async (...given: Given): Promise<Answer> => {
      if (isGone) throw new PrehendError('store-failed', 'Redis failed: gone.', { remedy: 'Wait.' })
      return work(...given)
    }
  }
  const hot: Hot = { ...server, get: answer(server.get), put: answer(server.put) }
  const watch = watchedHot(hot, {
    lost: (reason) => void seen.push(['lost', reason]),
    back: (lostMs) => void seen.push(['back', lostMs]),
    clock: () => clock.now(),
    wait: (ms, signal) => clock.wait(ms, signal),
  })
  return { ...watch, clock, seen, gone: (now: boolean) => void (isGone = now) }
}

it('says once that a server is lost and why, and once that it is back, also where nothing else asks it', async () => {
  const { hot, trouble, clock, seen, gone } = watched()
  await hot.put('a', '1', 60_000)
  expect([trouble(), seen]).toEqual([undefined, []])
  gone(true)
  for (const _ of [1, 2]) await expect(hot.get('a')).rejects.toThrow('Redis failed')
  await clock.advance(3000)
  expect([trouble(), seen]).toEqual(['Redis failed: gone.', [['lost', 'Redis failed: gone.']]])
  gone(false)
  await clock.advance(1000)
  expect(seen).toEqual([
    ['lost', 'Redis failed: gone.'],
    ['back', 4000],
  ])
  expect([trouble(), await hot.get('a')]).toEqual([undefined, '1'])
})

it('takes a server that answers some commands only as lost', async () => {
  const { hot, clock, seen } = watched()
  const full = watchedHot(
    { ...hot, put: () => Promise.reject(new PrehendError('store-failed', 'out of memory', { remedy: 'x' })) },
    {
      lost: () => void seen.push('lost'),
      back: () => void seen.push('back'),
      clock: () => 0,
      wait: (ms, on) => clock.wait(ms, on),
    },
  )
  for (const _ of [1, 2, 3]) {
    await expect(full.hot.put('a', '1', 1)).rejects.toThrow('out of memory')
    const waiting = clock.advance(600)
    await expect(full.hot.put('a', '1', 1)).rejects.toThrow('out of memory')
    await waiting
  }
  expect([full.trouble(), seen]).toEqual(['out of memory', ['lost']])
  full.close()
})

it('leaves errors of what was asked alone', async () => {
  const { hot, trouble } = watched()
  const own = watchedHot(
    { ...hot, get: () => Promise.reject(new Error('a mistake')) },
    { lost: () => expect.unreachable(), back: () => expect.unreachable(), clock: () => 0, wait: async () => undefined },
  )
  await expect(own.hot.get('a')).rejects.toThrow('a mistake')
  expect(trouble()).toBeUndefined()
})
