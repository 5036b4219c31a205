import fc from 'fast-check'
import { expect, it } from 'vitest'
import { mediaFingerprint } from './media-fingerprint.ts'

it('tells bytes apart that differ in one letter, wherever that is, and the same from nothing else', () => {
  const base64 = fc.string({ unit: fc.constantFrom(...'ABCDEFGHabcdefgh0123+/'), minLength: 1, maxLength: 300 })
  fc.assert(
    fc.property(base64, fc.nat(), (data, place) => {
      const at = place % data.length
      const other = `${data.slice(0, at)}${data[at] === 'Z' ? 'Y' : 'Z'}${data.slice(at + 1)}`
      expect(mediaFingerprint(`${data}A`.slice(0, -1))).toBe(mediaFingerprint(data))
      expect(mediaFingerprint(other)).not.toBe(mediaFingerprint(data))
      expect(mediaFingerprint(`${data}A`)).not.toBe(mediaFingerprint(data))
    }),
  )
})

it('reads all of a large one: a thousand screens that differ in one place have a thousand fingerprints', () => {
  const body = 'iVBORw0KGgo'.repeat(20_000)
  const all = Array.from({ length: 1000 }, (_, index) => {
    const at = 5 + index * 200
    return mediaFingerprint(`${body.slice(0, at)}_${body.slice(at + 1)}`)
  })
  expect(new Set(all).size).toBe(1000)
  expect(all[0]).toMatch(/^[0-9a-z]{28}$/)
})
