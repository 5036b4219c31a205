import fc from 'fast-check'
import { expect, it } from 'vitest'
import { TextMap } from './text-map.ts'

it('never answers with the number of another text, however alike they are', () => {
  const alike = fc.tuple(fc.nat(90), fc.constantFrom('a', 'b', 'é', '漢')).map(([at, mark]) => {
    const text = 'x'.repeat(100)
    return text.slice(0, at) + mark + text.slice(at + 1)
  })
  fc.assert(
    fc.property(fc.array(fc.oneof(alike, fc.string())), (texts) => {
      const map = new TextMap<number>()
      for (const [index, text] of texts.entries()) {
        map.set(text, index)
        expect(map.get(text)).toBe(index)
      }
      for (const text of texts) expect([undefined, texts.lastIndexOf(text)]).toContain(map.get(text))
    }),
  )
})

it('stays quick where thousands of texts share a sample, by forgetting', () => {
  const map = new TextMap<number>()
  const texts = Array.from(
    { length: 3000 },
    (_, index) => `${'-'.repeat(41)}${String(index).padStart(4, '0')}${'-'.repeat(800)}`,
  )
  for (const [index, text] of texts.entries()) map.set(text, index)
  expect(map.get(texts.at(-1) ?? '')).toBe(2999)
  expect(texts.filter((text) => map.get(text) !== undefined).length).toBeLessThanOrEqual(8)
})
