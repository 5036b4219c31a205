import { EventEmitter } from 'node:events'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ClientResponse } from './client.ts'
import { gatheredWrites } from './gathered-writes.ts'

/** A client that takes what it is given, or is slower than we are until it says so. */
class Reader extends EventEmitter {
  readonly written: string[] = []
  isSlow = false
  destroyed = false

  write(chunk: Uint8Array): boolean {
    this.written.push(Buffer.from(chunk).toString())
    return !this.isSlow
  }
}

function opened() {
  const reader = new Reader()
  const writes = gatheredWrites(reader as unknown as ClientResponse, new AbortController().signal)
  return { reader, write: (text: string) => writes.write(Buffer.from(text)), flush: () => writes.flush() }
}

describe('pieces of a stream', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('go out at once where they come alone', () => {
    const { reader, write } = opened()
    for (const text of ['a', 'b', 'c']) {
      expect(write(text)).toBeUndefined()
      expect(reader.written.at(-1)).toBe(text)
      vi.advanceTimersByTime(5)
    }
  })

  it('go out in one where they come right behind another, none later than a few milliseconds', () => {
    const { reader, write } = opened()
    for (const text of ['a', 'b', 'c']) void write(text)
    expect(reader.written).toEqual(['a'])
    vi.advanceTimersByTime(4)
    expect(reader.written).toEqual(['a', 'bc'])
    void write('d')
    expect(reader.written).toEqual(['a', 'bc'])
    vi.advanceTimersByTime(4)
    expect(reader.written).toEqual(['a', 'bc', 'd'])
    vi.advanceTimersByTime(20)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('are not gathered without end', () => {
    const { reader, write } = opened()
    void write('a')
    void write('b'.repeat(16_384))
    expect(reader.written.map(({ length }) => length)).toEqual([1, 16_384])
  })

  it('wait for a client that is slower than we are, gathered or not', async () => {
    const { reader, write } = opened()
    reader.isSlow = true
    const first = write('a')
    expect(first).toBeInstanceOf(Promise)
    expect(write('b')).toBe(first)
    reader.isSlow = false
    reader.emit('drain')
    await first
    await vi.advanceTimersByTimeAsync(4)
    expect(reader.written).toEqual(['a', 'b'])
    expect(write('c')).toBeUndefined()
  })

  it('are all there in their order, whenever they come, and after a flush at once', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ minLength: 1 }), fc.nat(6))), (pieces) => {
        const { reader, write, flush } = opened()
        for (const [text, laterMs] of pieces) {
          void write(text)
          vi.advanceTimersByTime(laterMs)
        }
        void flush()
        expect(reader.written.join('')).toBe(pieces.map(([text]) => text).join(''))
        expect(vi.getTimerCount()).toBe(0)
      }),
    )
  })
})
