import { expect, it } from 'vitest'
import { carryingBytes, servingBytes } from './live-shares.ts'

const mib = 1024 * 1024

it.each([1, 2, 3])('one budget for all: what %i threads and the one that serves keep comes to it', (threads) => {
  const shares = [servingBytes(64 * mib, threads), ...Array<number>(threads).fill(carryingBytes(64 * mib, threads))]
  const all = shares.reduce((sum, bytes) => sum + bytes, 0)
  expect(all).toBeGreaterThanOrEqual(64 * mib)
  expect(all).toBeLessThan(64 * mib + threads + 2)
})

it('a gateway without such threads has all of it on its own', () => {
  expect(servingBytes(64 * mib, 0)).toBe(64 * mib)
})

it('many threads keep some sessions each, unless that is more than there may be', () => {
  expect(carryingBytes(64 * mib, 8)).toBe(16 * mib)
  expect(carryingBytes(mib, 8)).toBe(mib)
  expect([carryingBytes(0, 8), servingBytes(0, 8)]).toEqual([0, 0])
})
