import { expect, it } from 'vitest'
import { lend, letGo } from './let-go.ts'

it('what is let go takes no memory, however often it is let go', () => {
  const bytes = Buffer.from(new ArrayBuffer(70_000))
  const before = process.memoryUsage().arrayBuffers
  letGo(bytes)
  expect(bytes.length).toBe(0)
  expect(before - process.memoryUsage().arrayBuffers).toBeGreaterThanOrEqual(70_000)
  letGo(bytes)
  expect(bytes.buffer.byteLength).toBe(0)
})

it('a part of something larger, and memory that threads share, stay as they are', () => {
  const whole = new Uint8Array([1, 2, 3, 4])
  letGo(whole.subarray(1, 3))
  expect([...whole]).toEqual([1, 2, 3, 4])
  const shared = new Uint8Array(new SharedArrayBuffer(2)).fill(7)
  letGo(shared)
  expect([...shared]).toEqual([7, 7])
})

it('what was lent stays as it is', () => {
  const bytes = new Uint8Array([1, 2, 3])
  lend(bytes)
  letGo(bytes)
  expect([...bytes]).toEqual([1, 2, 3])
})
