import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SseEvent } from './sse.ts'
import { encodeSse, sseParser } from './sse.ts'
import { bytesOf, sseReader } from './sse-frames.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const text = (some: Uint8Array): string => new TextDecoder().decode(some)

/** What has been given out when all of these chunks have come. */
function read(chunks: readonly Uint8Array[]): { readonly events: readonly SseEvent[]; readonly text: string } {
  const reader = sseReader()
  const frames = chunks.map((chunk) => reader.push(chunk))
  return { events: frames.flatMap(({ events }) => events), text: frames.map((frame) => text(frame.bytes)).join('') }
}

function cutAt(whole: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const all = [0, ...places.map((place) => place % (whole.length + 1)).toSorted((a, b) => a - b), whole.length]
  return all.slice(1).map((end, index) => whole.subarray(all[index], end))
}

const line = fc.constantFrom('data: é', 'data:{"a":1}', 'event: x', ': ping', 'id: 7', 'retry: 3', 'odd', '', '')
const ending = fc.constantFrom('\n', '\r\n', '\r')
const mixed = fc.array(fc.tuple(line, ending))
const alike = ['\n', '\r\n', '\r'].map((end) => fc.array(fc.tuple(line, fc.constant(end))))

describe('sseReader', () => {
  it('gives out whole events with the bytes in which they came, and nothing after them', () => {
    const half = 'event: b\ndata: 2\n'
    const { events, text: given } = read([bytes(`: hello\r\n\r\nevent:a\r\ndata:  1\r\n\r\n${half}`)])
    expect(events).toEqual([
      { data: '', comment: ' hello' },
      { event: 'a', data: ' 1' },
    ])
    expect(events.map((event) => text(bytesOf(event)!))).toEqual([': hello\r\n\r\n', 'event:a\r\ndata:  1\r\n\r\n'])
    expect(given).not.toContain(half)
  })

  it('wherever it is cut, whatever the lines: the same bytes, events and frames', () => {
    fc.assert(
      fc.property(fc.oneof(mixed, ...alike), fc.array(fc.nat()), (lines, places) => {
        const whole = bytes(lines.map(([said, end]) => said + end).join(''))
        const [at, cut] = [read([whole]), read(cutAt(whole, places))]
        const endings = new Set(lines.map(([, end]) => end))
        if (endings.size === 1) expect(text(whole).startsWith(cut.text)).toBe(true)
        const said = ({ events }: typeof at): readonly SseEvent[] => events.filter(({ data }) => data !== '')
        expect(said(cut)).toEqual(said(at))
        expect(said(cut)).toEqual(
          sseParser()
            .push(whole)
            .filter(({ data }) => data !== ''),
        )
        expect(cut.events.map((event) => text(bytesOf(event)!)).join('')).toBe(cut.text)
        if (endings.size === 1) expect(at.text.trimEnd()).toBe(cut.text.trimEnd())
      }),
    )
  })

  it('an event has its last line feed wherever it is cut, and waits for none; nor does one of returns alone', () => {
    const whole = bytes('data: 1\r\n\r\n: ping\r\ndata: 2\r\n\r\n')
    for (let place = 0; place <= whole.length; place += 1) {
      const { events } = read([whole.subarray(0, place), whole.subarray(place)])
      const frames = events.filter(({ data }) => data !== '').map((event) => text(bytesOf(event)!))
      expect([place, frames]).toEqual([place, ['data: 1\r\n\r\n', 'data: 2\r\n\r\n']])
    }
    const bytewise = read([...whole].map((_, at) => whole.subarray(at, at + 1)))
    expect(bytewise.events.map((event) => text(bytesOf(event)!))).toEqual([
      'data: 1\r\n\r\n',
      ': ping\r\n',
      'data: 2\r\n\r\n',
    ])
    expect(read([bytes('data: 1\r\n\r')]).events).toEqual([{ data: '1' }])
    expect(read([bytes('data: 1\r\r')]).text).toBe('data: 1\r\r')
  })

  it('a comment between events does not wait, one inside an event belongs to it', () => {
    expect(read([bytes(': ping\n')]).text).toBe(': ping\n')
    const within = 'event: a\n: note\ndata: 1\n\n'
    const { events } = read([bytes(within)])
    expect(events).toEqual([{ event: 'a', data: '1' }])
    expect(text(bytesOf(events[0]!)!)).toBe(within)
  })

  it('what is no event for anybody is passed on', () => {
    const odd = '\n\nretry: 3000\n\nevent: ping\n\n'
    const { events, text: given } = read([bytes(odd)])
    expect(given).toBe(odd)
    expect(events.every(({ comment }) => comment === '')).toBe(true)
  })

  it('an event that somebody has changed has no bytes', () => {
    const [event] = read([bytes('data: 1\n\n')]).events
    expect(bytesOf({ ...event!, data: '2' })).toBeUndefined()
    expect(encodeSse({ ...event!, data: '2' })).toBe('data: 2\n\n')
  })

  const megabytes = 20_000_000
  it.each([
    ['one line', `data: ${'x'.repeat(megabytes)}\n\n`, 1],
    ['lines of one event', `${'data: some words\n'.repeat(300_000)}\n`, 1],
    ['comments in one event', `data: 1\n${': a\n'.repeat(300_000)}\n`, 1],
    ['events', 'data: {}\n\n'.repeat(50_000), 50_000],
    ['empty lines', '\n\r\r\n'.repeat(200_000), undefined],
  ])('megabytes in small pieces cost what they are long: %s', (_, whole, events) => {
    const all = bytes(whole)
    const pieces = Array.from({ length: Math.ceil(all.length / 64) }, (__, at) => all.subarray(at * 64, at * 64 + 64))
    const given = read(pieces)
    expect(given.text === whole).toBe(true)
    if (events !== undefined) expect(given.events).toHaveLength(events)
    expect(read([all]).text === whole).toBe(true)
  })

  it('an event may have a longest length, in one line or in many; what is shorter comes through', () => {
    const inPieces = (whole: string): (() => readonly SseEvent[]) => {
      const reader = sseReader({ eventBytes: 1000 })
      const all = bytes(whole)
      const chunks = Array.from({ length: Math.ceil(all.length / 10) }, (_, at) => all.subarray(at * 10, at * 10 + 10))
      return () => chunks.flatMap((chunk) => [...reader.push(chunk).events])
    }
    expect(inPieces(`data: ${'x'.repeat(980)}\n\n`.repeat(5))()).toHaveLength(5)
    for (const long of [
      `data: ${'x'.repeat(2000)}`,
      'data: 12345\n'.repeat(200),
      `data: 1\n${': words\n'.repeat(200)}`,
    ]) {
      expect(inPieces(long)).toThrow(expect.objectContaining({ code: 'upstream-broken' }) as Error)
    }
  })
})
