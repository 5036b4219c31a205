import { describe, expect, it } from 'vitest'
import { readMarker } from './marker-grammar.ts'
import { callFoldMarker, foldMarker, parseFold, referenceMarker } from './marker.ts'
import { trimLines } from './trim-lines.ts'
import { joinLines, textLines } from './text-lines.ts'
import * as fc from 'fast-check'

describe('markers', () => {
  it('P-046: say which lines are left out and how to get them back, and read back', () => {
    const fold = { first: 57, last: 90, handle: '482915037' }
    expect(foldMarker(fold)).toBe('[lines 57-90 folded: rehydrate("482915037", "57-90")]')
    expect(foldMarker(fold, true)).toBe('[57-90 folded: 482915037]')
    expect(foldMarker({ ...fold, last: 57 }, true)).toBe('[line 57 folded: 482915037]')
    for (const last of [57, 90]) {
      for (const brief of [true, false])
        expect(parseFold(foldMarker({ ...fold, last }, brief))).toEqual({ ...fold, last })
    }
  })

  it('in the arguments of a call say that those lines were written, and read back', () => {
    const fold = { first: 57, last: 90, handle: '482915037' }
    expect(callFoldMarker(fold)).toBe('[lines 57-90 written, not shown: rehydrate("482915037", "57-90")]')
    expect(callFoldMarker(fold, true)).toBe('[57-90 not shown: 482915037]')
    for (const last of [57, 90]) {
      for (const brief of [true, false])
        expect(parseFold(callFoldMarker({ ...fold, last }, brief))).toEqual({ ...fold, last })
    }
  })

  it('of references say how far back their step is', () => {
    const repeated = { step: 3, call: false, lines: 19, first: 4, last: 22, handle: 'abcd' }
    expect(referenceMarker({ ...repeated, back: 5 })).toBe(
      '[+19 lines as in step 3, 5 before this: rehydrate("abcd", "4-22")]',
    )
    expect(referenceMarker({ ...repeated, call: true, back: 1 })).toBe(
      '[+19 lines as in the call of step 3, 1 before this: rehydrate("abcd", "4-22")]',
    )
  })

  it('headroom#3098: no word of a marker suggests damage', () => {
    const texts = [
      foldMarker({ first: 1, last: 2, handle: 'abcd' }),
      foldMarker({ first: 1, last: 1, handle: 'abcd' }, true),
      callFoldMarker({ first: 1, last: 2, handle: 'abcd' }),
      referenceMarker({ step: 3, call: false, lines: 19, first: 4, last: 22, handle: 'abcd' }),
      referenceMarker({ step: 3, call: true, lines: 19, first: 4, last: 22, handle: 'abcd' }),
    ]
    for (const text of texts) expect(text).not.toMatch(/trunc|omit|miss|lost|elid|remov|cut|corrupt|delet|strip/i)
  })

  it('reads nothing that is not of our form', () => {
    for (const line of [
      '[lines 57-90 folded: rehydrate("482915037", "57-91")]',
      '[57-90 folded: h]',
      ' [57-90 folded: 482915037]',
      '[57-90 truncated: 482915037]',
      `[57-90 folded: ${'9'.repeat(200)}]`,
      '[… 34 lines omitted]',
      '',
    ]) {
      expect(parseFold(line)).toBeUndefined()
    }
    expect(readMarker('[+29 lines as in step 7: rehydrate("abcd", "2-30")]')?.form).toBe('repeats')
    expect(readMarker('[+29 lines as in step 7]')).toBeUndefined()
    expect(readMarker('29 lines as in step 7: rehydrate("abcd", "2-30")')).toBeUndefined()
  })

  it('N-37: shown lines and folded ranges make up the original, in order', () => {
    const line = fc.constantFrom('a', '', 'x'.repeat(1200), '[57-90 folded: 482915037]', '\ud800', 'b\r')
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), fc.infiniteStream(fc.boolean()), (lines, keeps) => {
        const text = textLines(lines.join('\n'))
        const keep = Uint8Array.from(text.lines, () => (keeps.next().value === true ? 1 : 0))
        const { text: shown, folds } = trimLines({ text, keep, handle: 'h4ndle' })
        let next = 0
        const rebuilt: string[] = []
        for (const fold of folds) {
          while (next < fold.first - 1) rebuilt.push(text.lines[next++] ?? '')
          rebuilt.push(...text.lines.slice(next, fold.last))
          expect(keep.slice(next, fold.last).includes(1)).toBe(false)
          next = fold.last
        }
        rebuilt.push(...text.lines.slice(next))
        expect(rebuilt).toEqual(text.lines)
        expect(folds.length > 0 || shown === joinLines(text, 0, text.lines.length - 1)).toBe(true)
      }),
    )
  })
})
