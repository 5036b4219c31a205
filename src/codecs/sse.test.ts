import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SseEvent } from './sse.ts'
import { encodeSse, sseParser } from './sse.ts'

function parse(chunks: readonly (string | Uint8Array)[]): readonly SseEvent[] {
  const parser = sseParser()
  return [...chunks.flatMap((chunk) => [...parser.push(chunk)]), ...parser.end()]
}

const line = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[\r\n\u2028]/g, '.'))
const event = fc.record(
  {
    data: fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n')),
    event: fc.constantFrom('message_start', 'x'),
  },
  { requiredKeys: ['data'] },
)

describe('sseParser', () => {
  it('reads back what encodeSse wrote, cut at any byte, with any line ending', () => {
    fc.assert(
      fc.property(fc.array(event), fc.constantFrom('\n', '\r\n', '\r'), fc.array(fc.nat()), (events, ending, cuts) => {
        const bytes = new TextEncoder().encode(events.map(encodeSse).join('').replaceAll('\n', ending))
        const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
        const chunks = places.slice(1).map((end, index) => bytes.slice(places[index], end))
        expect(parse(chunks)).toEqual(events)
      }),
    )
  })

  it('hands an event out with the chunk that completes it', () => {
    const parser = sseParser()
    expect(parser.push('data: 1\n')).toEqual([])
    expect(parser.push('\n')).toEqual([{ data: '1' }])
  })

  it('keeps comments, passes over unknown fields, joins data lines', () => {
    expect(parse([': keep alive\n\nretry: 3\nfoo\ndata:a\ndata: b\nid: 7\n\n'])).toEqual([
      { data: '', comment: ' keep alive' },
      { data: 'a\nb', id: '7' },
    ])
  })

  it('gives out the last event of a stream that was cut off before its empty line', () => {
    expect(parse(['data: {"a":1}'])).toEqual([{ data: '{"a":1}' }])
    expect(parse(['event: ping\n'])).toEqual([])
  })

  it('gives no event without data', () => {
    expect(parse(['event: ping\n\ndata: x\n\n'])).toEqual([{ data: 'x' }])
  })

  it('writes comments as comments', () => {
    expect(encodeSse({ data: '', comment: ' hello' })).toBe(': hello\n\n')
    expect(encodeSse({ event: 'ping', data: '{}' })).toBe('event: ping\ndata: {}\n\n')
  })
})
