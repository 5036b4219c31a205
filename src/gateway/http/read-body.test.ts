import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { discardBody } from '../outlet/discard-body.ts'
import { bodyText, readBody, requirePlain } from './read-body.ts'

const megabyte = Buffer.alloc(1_048_576, 'x')

function requestOf(chunks: Iterable<Buffer>, headers: Record<string, string> = {}): IncomingMessage {
  return Object.assign(Readable.from(chunks, { objectMode: false }), {
    headers,
    complete: false,
  }) as unknown as IncomingMessage
}

describe('readBody', () => {
  it('reads what fits, up to the last byte of the limit', async () => {
    expect(await readBody(requestOf([Buffer.from('ab'), Buffer.from('cd')]), 4)).toEqual(Buffer.from('abcd'))
    expect(await readBody(requestOf([]), 4)).toEqual(Buffer.alloc(0))
  })

  it('gives the memory of pieces back once they are one, and keeps one that is all', async () => {
    const pieces = ['ab', 'cd'].map((text) => Buffer.from(Uint8Array.from(Buffer.from(text)).buffer))
    expect(await readBody(requestOf(pieces), 4)).toEqual(Buffer.from('abcd'))
    expect(pieces.map(({ length }) => length)).toEqual([0, 0])
    const only = Buffer.from(Uint8Array.from([1, 2, 3]).buffer)
    expect(await readBody(requestOf([only]), 4)).toEqual(Buffer.from([1, 2, 3]))
  })

  it('refuses by the announced length before it reads a byte', async () => {
    let read = 0
    const chunks = (function* () {
      for (; ; read += 1) yield megabyte
    })()
    const reading = readBody(requestOf(chunks, { 'content-length': '104857600' }), 1_000_000)
    await expect(reading).rejects.toMatchObject({ code: 'body-too-large', data: { limitBytes: 1_000_000 } })
    expect(read).toBe(0)
  })

  it('refuses a body without a length once it is too long, and lets the rest pass', async () => {
    let read = 0
    const chunks = (function* () {
      for (; read < 100; read += 1) yield megabyte
    })()
    const request = requestOf(chunks)
    await expect(readBody(request, 3_000_000)).rejects.toMatchObject({ code: 'body-too-large' })
    await discardBody(request)
    expect(read).toBe(100)
  })

  it('fails when the client breaks off', async () => {
    const request = requestOf([megabyte])
    const reading = readBody(request, 10_000_000)
    request.destroy(new Error('gone'))
    await expect(reading).rejects.toThrow('gone')
  })
})

describe('requirePlain', () => {
  it('refuses a body that is compressed', () => {
    expect(() => requirePlain({ 'content-encoding': 'gzip' })).toThrow(
      expect.objectContaining({ code: 'invalid-input', data: expect.objectContaining({ field: 'content-encoding' }) }),
    )
    for (const headers of [{}, { 'content-encoding': 'identity' }]) expect(() => requirePlain(headers)).not.toThrow()
  })
})

describe('bodyText', () => {
  it('refuses what is not UTF-8 instead of changing it', () => {
    expect(bodyText(Buffer.from('{"a":"ü"}'))).toBe('{"a":"ü"}')
    expect(() => bodyText(Buffer.from([0xc3, 0x28]))).toThrow(expect.objectContaining({ code: 'invalid-json' }))
  })
})
