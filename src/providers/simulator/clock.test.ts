import { expect, it } from 'vitest'
import { manualClock } from './clock.ts'

it('a manual clock ends waits in order, together with what they start', async () => {
  const clock = manualClock(1000)
  const log: string[] = []
  const step = async (name: string, ms: number): Promise<void> => {
    await clock.wait(ms)
    log.push(`${name}@${clock.now()}`)
  }
  const all = Promise.all([step('b', 20), step('a', 10).then(() => step('c', 5)), step('now', 0), step('late', 100)])
  await clock.advance(50)
  expect(log).toEqual(['now@1000', 'a@1010', 'c@1015', 'b@1020'])
  expect(clock.now()).toBe(1050)
  await clock.advance(50)
  await all
  expect(log.at(-1)).toBe('late@1100')
})

it('a wait ends with the reason of its abort', async () => {
  const clock = manualClock()
  const abort = new AbortController()
  const waiting = clock.wait(10, abort.signal)
  abort.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  await expect(clock.wait(10, abort.signal)).rejects.toThrow('enough')
})
