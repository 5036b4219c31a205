import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SseEvent } from './sse.ts'
import { encodeSse, sseParser } from './sse.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

function parse(chunks: readonly (string | Uint8Array)[]): readonly SseEvent[] {
  const parser = sseParser()
  const read = chunks.flatMap((chunk) => [...parser.push(typeof chunk === 'string' ? bytesOf(chunk) : chunk)])
  return [...read, ...parser.end()]
}

/** A text in pieces of so many bytes. */
function* piecesOf(text: string, pieceBytes: number): Generator<Uint8Array> {
  const bytes = bytesOf(text)
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
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
    expect(parser.push(bytesOf('data: 1\n'))).toEqual([])
    expect(parser.push(bytesOf('\n'))).toEqual([{ data: '1' }])
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

  it.each([
    ['a line', `data: ${'x'.repeat(20_000_000)}\n\n`],
    ['many lines of one event', `${'data: some words\n'.repeat(300_000)}\n`],
    ['many events', 'data: {}\n\n'.repeat(50_000)],
  ])('costs what a stream is long, in small pieces: %s', (_, text) => {
    const parser = sseParser()
    let characters = 0
    for (const piece of piecesOf(text, 64)) for (const { data } of parser.push(piece)) characters += data.length
    expect(characters).toBe(parse([text]).reduce((sum, { data }) => sum + data.length, 0))
  })

  it('gives no event without data', () => {
    expect(parse(['event: ping\n\ndata: x\n\n'])).toEqual([{ data: 'x' }])
  })

  it('writes comments as comments', () => {
    expect(encodeSse({ data: '', comment: ' hello' })).toBe(': hello\n\n')
    expect(encodeSse({ event: 'ping', data: '{}' })).toBe('event: ping\ndata: {}\n\n')
  })
})
