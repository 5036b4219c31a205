import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pieceJoiner } from './piece-joiner.ts'

const pieces = ['', 'a', 'bc', '\n'].map((fragment, tokens) => ({ fragment, tokens, digest: undefined }))
const ofItems = pieces.map((piece) => ({ ...piece, entry: {} }))

/** Long lists that share long beginnings. */
const lists = fc.array(fc.tuple(fc.nat({ max: 200 }), fc.array(fc.nat({ max: 7 }), { maxLength: 90 })), {
  maxLength: 8,
})

it('joins what it is given, whatever it has joined before', () => {
  fc.assert(
    fc.property(lists, (changes) => {
      const join = pieceJoiner()
      let list: (typeof pieces)[number][] = []
      for (const [keep, added] of changes) {
        list = [...list.slice(0, keep), ...added.map((which) => [...pieces, ...ofItems][which]!)]
        const own = list.filter((piece) => !('entry' in piece))
        const { text, cuts, ownTokens } = join(list)
        expect(text).toBe(list.map(({ fragment }) => fragment).join(''))
        expect(ownTokens).toBe(own.reduce((sum, { tokens }) => sum + tokens, 0))
        expect(cuts).toEqual(pieceJoiner()(list).cuts)
        expect(cuts.every((cut, at) => cut > 0 && cut >= (cuts[at - 1] ?? 0) && cut <= text.length)).toBe(true)
        if (!list.some(({ fragment }) => fragment === '')) expect(cuts).toHaveLength(Math.max(0, list.length - 1))
      }
    }),
  )
})
