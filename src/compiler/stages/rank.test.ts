import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sha256 } from '../compile-input.fixture.ts'
import { candidateReader } from '../items/candidate.ts'
import { contentHasher } from '../items/item-keys.ts'
import { candidatesReader } from '../items/read-candidates.ts'
import { careful } from '../policy/policies.ts'
import { evidence, turn } from '../word-tokens.fixture.ts'
import { itemRanker } from './rank.ts'
import type { Ranked } from './rank.ts'

const reader = candidateReader(contentHasher(sha256))
const newRanker = () => {
  const read = candidatesReader(reader)
  const rank = itemRanker(undefined)
  return (ids: readonly number[]) =>
    rank({
      list: read(ids.map((id) => (id % 3 === 0 ? turn(`t${id}`, id) : evidence(`e${id}`, id)))),
      rank: careful.rank,
      written: 'headers',
      tokensOf: ({ item }) => item.text.length,
    })
}
const asPlain = ({ fullTokens, totalTokens, scores, members }: Ranked) => ({
  totalTokens,
  tokens: [...fullTokens],
  scores: [...scores],
  members: [...members],
})

it('ranks as if it had ranked nothing before, and leaves what it gave as it was', () => {
  const changes = fc.array(fc.tuple(fc.nat({ max: 40 }), fc.uniqueArray(fc.nat({ max: 60 }), { maxLength: 12 })))
  fc.assert(
    fc.property(changes, (all) => {
      const rank = newRanker()
      const given: (readonly [Ranked, ReturnType<typeof asPlain>])[] = []
      let ids: readonly number[] = []
      for (const [keep, added] of all) {
        ids = [...new Set([...ids.slice(0, keep), ...added])]
        const ranked = rank(ids)
        expect(asPlain(ranked)).toEqual(asPlain(newRanker()(ids)))
        given.push([ranked, asPlain(ranked)])
      }
      for (const [ranked, plain] of given) expect(asPlain(ranked)).toEqual(plain)
    }),
  )
})
