import { describe, expect, it } from 'vitest'
import { compile, evidence, input, words } from '../compile-input.fixture.ts'
import { verifyManifest } from './verify-manifest.ts'

const original = input({
  items: Array.from({ length: 9 }, (_, index) => evidence(`e${index}`, words(200, `e${index}x`))),
  budget: { windowTokens: 1_500 },
})
const { manifest, pack } = compile(original)

describe('verifyManifest', () => {
  it('N-29: a receipt whose input was kept is made again, byte for byte', () => {
    const verification = verifyManifest({ input: structuredClone(original), manifest, ...(pack && { pack }), compile })
    expect(verification).toMatchObject({ verified: true, differences: [] })
    expect(verification.result.pack).toEqual(pack)
  })

  it('names what came out otherwise', () => {
    const other = { ...original, frame: { request: 'Another request.' } }
    const { verified, differences } = verifyManifest({ input: other, manifest, compile })
    expect(verified).toBe(false)
    expect(differences.map(({ field }) => field)).toEqual(
      expect.arrayContaining(['frameTokens', 'inputHash', 'packHash']),
    )
    expect(differences.find(({ field }) => field === 'packHash')?.expected).toBe(`"${manifest.packHash}"`)
  })

  it('sees a pack that was changed after its receipt was written, and one that is gone', () => {
    if (pack === undefined) throw new Error('no pack')
    const forged = { ...pack, messages: pack.messages.map((message) => ({ ...message, text: `${message.text}!` })) }
    const fields = verifyManifest({ input: original, manifest, pack: forged, compile }).differences
    expect(fields.map(({ field }) => field)).toEqual(['pack.messages'])
    const refused = verifyManifest({ input: { ...original, budget: { windowTokens: 10 } }, manifest, pack, compile })
    expect(refused.differences.find(({ field }) => field === 'pack.hash')?.actual).toBe('absent')
  })
})
