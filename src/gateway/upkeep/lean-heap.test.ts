import { expect, it, vi } from 'vitest'
import { heapKeeper } from './lean-heap.ts'

/** A process that is looked at every two seconds, after so many cores have been computed on. */
function keptProcess() {
  const told: string[] = []
  const collect = vi.fn<() => void>()
  let [cpuMs, nowMs, underway] = [500, 1000, 0]
  const look = heapKeeper({
    setFlags: (flags) => told.push(flags),
    collect,
    cpuMs: () => cpuMs,
    nowMs: () => nowMs,
    underway: () => underway,
  })
  return {
    told,
    collect,
    serve(requests: number): void {
      underway = requests
    },
    compute(ms: number): void {
      cpuMs += ms
    },
    after(cores: number, looks = 1): string | undefined {
      told.length = 0
      for (let left = looks; left > 0; left -= 1) {
        nowMs += 2000
        cpuMs += 2000 * cores
        look()
      }
      return told.at(-1)
    },
  }
}

it('collects less often while the process is busy, and sooner again once it idles', () => {
  const { told, after } = keptProcess()
  expect(told).toEqual([
    '--no-maglev-destroy-on-background',
    '--semi-space-growth-factor=2',
    '--heap-growing-percent=40',
  ])
  expect([0.1, 1.1].map((cores) => after(cores))).toEqual([undefined, undefined])
  expect(after(1.4)).toBe('--heap-growing-percent=100')
  expect([1, 0.8].map((cores) => after(cores))).toEqual([undefined, undefined])
  expect(after(0.7)).toBe('--heap-growing-percent=40')
})

it('collects everything once when the process has rested for half a minute after it has worked', () => {
  const { collect, after } = keptProcess()
  after(0.001, 100)
  expect(collect).toHaveBeenCalledTimes(0)
  after(1)
  after(0.001, 14)
  after(0.1)
  after(0.001, 14)
  expect(collect).toHaveBeenCalledTimes(0)
  after(0.001)
  expect(collect).toHaveBeenCalledTimes(1)
  after(0.001, 400)
  expect(collect).toHaveBeenCalledTimes(1)
  after(0.5, 2)
  after(0.001, 15)
  expect(collect).toHaveBeenCalledTimes(2)
})

it('spends no more than a tenth on that of what the process works', () => {
  const { collect, after, compute } = keptProcess()
  collect.mockImplementation(() => compute(200))
  after(1)
  after(0.001, 15)
  expect(collect).toHaveBeenCalledTimes(1)
  // Other threads collect after the one that told them.
  compute(500)
  after(0.04, 80)
  expect(collect).toHaveBeenCalledTimes(1)
  after(0.04, 20)
  expect(collect).toHaveBeenCalledTimes(2)
})

it('lets nobody wait for that', () => {
  const { collect, after, serve } = keptProcess()
  after(1)
  serve(1)
  after(0.001, 100)
  expect(collect).toHaveBeenCalledTimes(0)
  serve(0)
  after(0.001, 14)
  expect(collect).toHaveBeenCalledTimes(0)
  after(0.001)
  expect(collect).toHaveBeenCalledTimes(1)
})
