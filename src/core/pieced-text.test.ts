import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PiecedText, commonPrefixLength, goingOn } from './pieced-text.ts'
import type { TextSource } from './pieced-text.ts'

const words = fc.string({ unit: fc.constantFrom('a', 'b', '"', '\\', 'é', '😀', ' '), maxLength: 40 })
/** A text in pieces that were cut from nothing longer. */
function piecedOf(texts: readonly string[]): PiecedText {
  return new PiecedText(texts.map((text) => ({ text, heldChars: text.length })))
}

const pieces = fc.array(
  words.filter((text) => text !== ''),
  { minLength: 1, maxLength: 8 },
)

describe('PiecedText', () => {
  it('reads as the string of its pieces does', () => {
    fc.assert(
      fc.property(pieces, fc.nat(320), fc.nat(320), (parts, start, end) => {
        const [text, pieced] = [parts.join(''), piecedOf(parts)]
        expect(pieced.length).toBe(text.length)
        expect(pieced.toString()).toBe(text)
        expect(JSON.stringify({ pieced })).toBe(JSON.stringify({ pieced: text }))
        expect(pieced.slice()).toBe(text)
        const from = Math.min(start, text.length)
        expect(pieced.slice(from)).toBe(text.slice(from))
        expect(pieced.slice(from, end)).toBe(text.slice(from, Math.max(end, from)))
        if (start < text.length) expect(pieced.charCodeAt(start)).toBe(text.charCodeAt(start))
        expect(pieced.startsWith(text.slice(from, end), from)).toBe(true)
        expect(pieced.startsWith(`${text.slice(from, end)}!`, from)).toBe(false)
      }),
    )
  })

  it('shares with another text what the strings of both do', () => {
    fc.assert(
      fc.property(pieces, pieces, (one, other) => {
        const [left, right] = [one.join(''), other.join('')]
        const shared = commonPrefixLength(left, right)
        expect(left.slice(0, shared)).toBe(right.slice(0, shared))
        expect(shared === left.length || shared === right.length || left[shared] !== right[shared]).toBe(true)
        expect(commonPrefixLength(piecedOf(one), right)).toBe(shared)
        expect(commonPrefixLength(left, piecedOf(other))).toBe(shared)
        expect(commonPrefixLength(piecedOf(one), piecedOf(other))).toBe(shared)
      }),
    )
  })
})

describe('a text that goes on from another', () => {
  const base = 'The first request, which is long. '.repeat(2000)

  it('is what it says, however often one goes on from the last, and is kept in few pieces', () => {
    const more = fc.record({ back: fc.nat(2000), words })
    fc.assert(
      fc.property(fc.array(more, { maxLength: 150 }), (turns) => {
        let known: TextSource = base
        for (const turn of turns) {
          const before = known.toString()
          const text = before.slice(0, before.length - turn.back) + turn.words
          known = goingOn(known, commonPrefixLength(known, text), text)
          expect(known.toString()).toBe(text)
          expect(known.slice(text.length - 50)).toBe(text.slice(-50))
          if (known instanceof PiecedText) expect(known.upTo(known.length).length).toBeLessThanOrEqual(64)
        }
      }),
      { numRuns: 30 },
    )
  })

  it('shares the memory of what both begin with', () => {
    const first = `${base}]}`
    const next = goingOn(first, base.length, `${base},1]}`)
    expect(next).toBeInstanceOf(PiecedText)
    const third = goingOn(next, base.length + 2, `${base},1,2]}`)
    expect(third).toBeInstanceOf(PiecedText)
    expect(third.toString()).toBe(`${base},1,2]}`)
    expect(third instanceof PiecedText && third.upTo(base.length)).toEqual([{ text: base, heldChars: first.length }])
  })

  it('keeps no more alive than twice what it says, however often it is cut', () => {
    let known: TextSource = base
    while (known.length > 30_000) {
      const text = known.slice(0, Math.ceil(known.length * 0.6))
      known = goingOn(known, text.length, text)
    }
    const held = known instanceof PiecedText ? known.upTo(known.length).map(({ heldChars }) => heldChars) : []
    expect(held).toHaveLength(1)
    expect(held[0]).toBeLessThanOrEqual(2 * known.length)
  })

  it('stands by itself where it shares little', () => {
    const text = `${base.slice(0, 20_000)} and another way`
    expect(goingOn(base, 20_000, text)).toBe(text)
    expect(goingOn('short', 5, 'short and on')).toBe('short and on')
  })
})
