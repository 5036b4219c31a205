import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { base64url } from './byte-texts.ts'
import { hmacSha256, portableSha256, sha256 } from './sha256.ts'

const nodes = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')
const anyText = fc.string({ unit: fc.oneof(fc.constant('\uD83D'), fc.string({ unit: 'binary', minLength: 1 })) })

describe('SHA-256 without the host is the host’s', () => {
  it('for every length around the ends of blocks', () => {
    for (let length = 0; length <= 260; length += 1) {
      const bytes = Uint8Array.from({ length }, (_, index) => (index * 31 + length) & 255)
      expect(portableSha256(bytes)).toBe(nodes(bytes))
    }
  })

  it('for every text, lone surrogates included', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(portableSha256(text)).toBe(nodes(text))
        expect(sha256(text)).toBe(nodes(text))
      }),
    )
  })

  it('for a view into a larger buffer, and for megabytes', () => {
    const large = new Uint8Array(3_000_001).map((_, index) => index % 251)
    expect(portableSha256(large)).toBe(nodes(large))
    expect(portableSha256(large.subarray(777, 5000))).toBe(nodes(large.subarray(777, 5000)))
  })
})

it('an HMAC is the host’s, whatever the length of the secret', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, fc.string({ minLength: 60, maxLength: 200 })), anyText, (secret, text) => {
      expect(hmacSha256(secret, text)).toBe(createHmac('sha256', secret).update(text).digest('base64url'))
    }),
  )
})

it('base64url is the host’s', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(base64url(bytes)).toBe(Buffer.from(bytes).toString('base64url'))
    }),
  )
})
