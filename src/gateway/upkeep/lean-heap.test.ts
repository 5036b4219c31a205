import { expect, it } from 'vitest'
import { heapKeeper } from './lean-heap.ts'

it('collects less often while the process is busy, and sooner again once it idles', () => {
  const told: string[] = []
  let [cpuMs, nowMs] = [500, 1000]
  const look = heapKeeper({ setFlags: (flags) => told.push(flags), cpuMs: () => cpuMs, nowMs: () => nowMs })
  const after = (cores: number): string | undefined => {
    nowMs += 2000
    cpuMs += 2000 * cores
    told.length = 0
    look()
    return told.at(-1)
  }
  expect(told).toEqual(['--semi-space-growth-factor=2', '--heap-growing-percent=40'])
  expect([0.1, 1.1].map(after)).toEqual([undefined, undefined])
  expect(after(1.4)).toBe('--heap-growing-percent=100')
  expect([1, 0.8].map(after)).toEqual([undefined, undefined])
  expect(after(0.7)).toBe('--heap-growing-percent=40')
})
