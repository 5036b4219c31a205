import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { expectWhenIdle } from './expect-when-idle.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function started(underway: number) {
  const drain = { underway }
  const readings = { expect: vi.fn<() => void>() }
  return { drain, readings, stop: expectWhenIdle({ readings, drain, idleMs: 100 }) }
}

test('readings are expected once, when no request is under way any more', () => {
  const { drain, readings } = started(2)
  vi.advanceTimersByTime(1000)
  expect(readings.expect).not.toHaveBeenCalled()
  drain.underway = 0
  vi.advanceTimersByTime(1000)
  expect(readings.expect).toHaveBeenCalledTimes(1)
})

test('a gateway that closes before that expects none', () => {
  const { readings, stop } = started(0)
  stop()
  vi.advanceTimersByTime(1000)
  expect(readings.expect).not.toHaveBeenCalled()
})
