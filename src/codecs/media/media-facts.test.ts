import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mediaTypes } from '../../core/index.ts'
import type { MediaType } from '../../core/index.ts'
import { base64Source, bytesOf } from './byte-source.ts'
import { mediaOfData } from './media-data.ts'
import { mediaFacts } from './media-facts.ts'
import { flac, mp3, mp4, pdf, wav } from './media-files.fixture.ts'

const factsOf = (type: MediaType, bytes: Uint8Array) =>
  mediaFacts(type, base64Source(Buffer.from(bytes).toString('base64')))

const frameMs = (1000 * 1152) / 44_100

describe('P-087, P-088: the extent of media is read off its own bytes', () => {
  it.each<readonly [string, MediaType, Uint8Array, object]>([
    ['a WAV', 'audio', wav(8000, 3), { durationMs: 3000 }],
    ['a WAV that was cut off', 'audio', wav(8000, 3, 2 * 8000 * 60), { durationMs: 3000 }],
    ['a WAV whose writer never came back to its head', 'audio', wav(8000, 2, 0), { durationMs: 2000 }],
    ['an MP3 by its bytes', 'audio', mp3(100), { durationMs: Math.round((100 * 417 * 8000) / 128_000) }],
    ['an MP3 by its count', 'audio', mp3(3, 5000), { durationMs: Math.round(5000 * frameMs) }],
    ['a FLAC', 'audio', flac(44_100, 44_100 * 7), { durationMs: 7000 }],
    ['an M4A', 'audio', mp4(9, 0, 0), { durationMs: 9000 }],
    ['a film', 'video', mp4(61, 1920, 1080), { durationMs: 61_000, width: 1920, height: 1080 }],
    ['a film with long times', 'video', mp4(61, 640, 360, true), { durationMs: 61_000, width: 640, height: 360 }],
    ['a PDF', 'document', pdf(1), { pages: 1 }],
    ['a PDF whose pages lie in a tree', 'document', pdf(47), { pages: 47 }],
  ])('%s', (_, type, bytes, facts) => {
    expect(factsOf(type, bytes)).toEqual(facts)
  })

  it('bare samples are as long as their type says', () => {
    const data = Buffer.alloc(48_000).toString('base64')
    expect(mediaOfData('audio', data, 'audio/L16;rate=24000').durationMs).toBe(1000)
    expect(mediaOfData('audio', data, 'audio/pcm').durationMs).toBeUndefined()
  })

  it('base64 says the same in both its alphabets, and with broken lines', () => {
    const data = Buffer.from(mp3(40)).toString('base64')
    const broken = data.replace(/.{76}/g, '$&\r\n')
    const forUrls = data.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
    const said = mediaFacts('audio', base64Source(data))
    expect(said.durationMs).toBeGreaterThan(1000)
    expect(mediaFacts('audio', base64Source(broken))).toEqual(said)
    expect(mediaFacts('audio', base64Source(forUrls))).toEqual(said)
  })

  it('base64 is read byte for byte as it is decoded', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const source = base64Source(Buffer.from(bytes).toString('base64'))
        expect(source.length).toBe(bytes.length)
        expect(Array.from(bytes, (__, index) => source.at(index))).toEqual([...bytes])
        expect(() => source.at(bytes.length)).toThrow(RangeError)
      }),
    )
  })
})

describe('bad input', () => {
  const whole = [wav(8000, 1), mp3(20, 20), flac(8000, 8000), mp4(9, 640, 360, true), pdf(12)]

  it('what is cut anywhere, or damaged, or of another kind, says something in bounds or nothing, and never throws', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...whole),
        fc.constantFrom(...mediaTypes),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.array(fc.tuple(fc.nat(4000), fc.nat(255)), { maxLength: 12 }),
        (file, type, share, damage) => {
          const bytes = file.slice(0, Math.floor(file.length * share))
          for (const [at, value] of damage) if (bytes.length > 0) bytes[at % bytes.length] = value
          const facts = mediaFacts(type, bytesOf(bytes))
          for (const value of Object.values(facts)) expect(value > 0 && Number.isSafeInteger(value)).toBe(true)
          expect(facts.durationMs ?? 0).toBeLessThanOrEqual(86_400_000)
          expect(facts.pages ?? 0).toBeLessThanOrEqual(100_000)
        },
      ),
      { numRuns: 400 },
    )
  })

  it('a PNG that promises more pixels than its bytes can hold has no size', () => {
    const head = (width: number, size: number): Buffer => {
      const bytes = Buffer.alloc(size)
      bytes.write('\u{89}PNG\r\n\u{1A}\n', 'latin1')
      bytes.writeUInt32BE(width, 16)
      bytes.writeUInt32BE(width, 20)
      return bytes
    }
    expect(factsOf('image', head(60_000, 200))).toEqual({})
    expect(factsOf('image', head(0, 200))).toEqual({})
    expect(factsOf('image', head(1000, 2000))).toEqual({ width: 1000, height: 1000 })
  })

  it('boxes in boxes, counts without end and segments of nothing are bounded work', () => {
    const nested = Buffer.alloc(400_000)
    for (let at = 0; at < nested.length; at += 8) {
      nested.writeUInt32BE(nested.length - at, at)
      nested.write('moov', at + 4)
    }
    const files: readonly [MediaType, Buffer][] = [
      ['video', nested],
      ['image', Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(2_000_000, 0xff)])],
      ['audio', Buffer.concat([Buffer.from('ID3'), Buffer.alloc(2_000_000, 0xff)])],
      ['document', Buffer.from(`%PDF-1.7 ${'/Type /Pages /Count '.repeat(100_000)}`)],
      ['document', Buffer.from(`%PDF-1.7 ${'/Linearized 1 '.repeat(100_000)}`)],
    ]
    for (const [type, bytes] of files) {
      const started = performance.now()
      expect(factsOf(type, bytes)).toEqual({})
      expect(performance.now() - started).toBeLessThan(1500)
    }
  })
})
