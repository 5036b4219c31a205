import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineIndex } from './line-index.ts'
import type { LineIndex } from '../core/index.ts'
import { referRepeats, resolveReferences } from './refer-repeats.ts'

const count = (text: string) => Math.ceil(text.length / 4)
const body = Array.from({ length: 30 }, (_, index) => `    value_${index} = compute(${index}, "text")`)

interface Shown {
  readonly index: LineIndex
  readonly texts: ReadonlyMap<string, string>
}

function show(texts: readonly string[]): Shown {
  let index = lineIndex()
  const shown = new Map<string, string>()
  texts.forEach((text, at) => {
    index = index.add({ key: `k${at}`, step: at + 1, call: false }, text)
    shown.set(`k${at}`, text)
  })
  return { index, texts: shown }
}

describe('referRepeats', () => {
  it('names the step and the lines where a run stands, and saves tokens', () => {
    const { index, texts } = show([['first', ...body].join('\n')])
    const text = ['new head', ...body.slice(4, 20), 'new tail'].join('\n')
    const referred = referRepeats({ text, index, count })
    expect(referred.text).toBe(`new head\n${body[4]}\n[+15 lines as in step 1]\nnew tail`)
    expect(referred.references).toEqual([{ key: 'k0', firstLine: 7, lines: 15, at: 3 }])
    expect(referred.savedTokens).toBeGreaterThan(100)
    expect(resolveReferences(referred, (key) => texts.get(key))).toBe(text)
  })

  it.each([
    { copies: 3, copyTokens: 50, referenceTokens: 10, saved: 80 },
    { copies: 2, copyTokens: 50, referenceTokens: 10, saved: 40 },
    { copies: 5, copyTokens: 90, referenceTokens: 12, saved: 312 },
    { copies: 3, copyTokens: 10, referenceTokens: 10, saved: 0 },
    { copies: 3, copyTokens: 8, referenceTokens: 10, saved: 0 },
  ])(
    'P-050, N-32: $copies copies of $copyTokens tokens save $saved where a reference takes $referenceTokens',
    ({ copies, copyTokens, referenceTokens, saved }) => {
      const run = body.slice(0, 9).join('\n')
      // Of a reference, one token is that of its line break.
      const inTokens = (text: string) => (text.startsWith('[+') ? referenceTokens - 1 : copyTokens)
      let { index } = show([run])
      const savings = Array.from({ length: copies - 1 }, (_, copy) => {
        const { savedTokens, text } = referRepeats({ text: run, index, count: inTokens })
        expect(text === run).toBe(saved === 0)
        index = index.add({ key: `copy ${copy}`, step: copy + 2, call: false }, run)
        return savedTokens
      })
      expect(savings.reduce((sum, saving) => sum + saving, 0)).toBe(saved)
    },
  )

  it('takes the longest run, and of equal ones the newest', () => {
    const { index } = show([body.slice(0, 12).join('\n'), body.join('\n'), body.join('\n')])
    expect(referRepeats({ text: body.join('\n'), index, count }).references).toEqual([
      { key: 'k2', firstLine: 2, lines: 29, at: 2 },
    ])
  })

  it('never joins two items into one run', () => {
    const { index } = show([body.slice(0, 10).join('\n'), body.slice(10, 20).join('\n')])
    const { references } = referRepeats({ text: body.slice(0, 20).join('\n'), index, count })
    expect(references.map(({ key, lines }) => [key, lines])).toEqual([
      ['k0', 9],
      ['k1', 9],
    ])
  })

  it('views with other line numbers do not count as equal', () => {
    const { index } = show([body.map((line, at) => `${at + 1}\t${line}`).join('\n')])
    expect(
      referRepeats({ text: body.map((line, at) => `${at + 2}\t${line}`).join('\n'), index, count }).references,
    ).toEqual([])
  })

  it('A-058: lines that state an error or an exit stand in full', () => {
    const text = ['<returncode>1</returncode>', ...body.slice(0, 8), 'ValueError: bad', ...body.slice(8, 16)].join('\n')
    const { index } = show([text])
    const { text: shown } = referRepeats({ text, index, count })
    expect(shown).toContain('<returncode>1</returncode>\n')
    expect(shown).toContain('\nValueError: bad\n')
  })

  it('leaves short and cheap runs alone, but not a long single line', () => {
    const { index } = show(['}\n}\n\n}', 'x'.repeat(900)])
    expect(referRepeats({ text: '}\n}\n\n}', index, count }).references).toEqual([])
    expect(referRepeats({ text: `head\n${'x'.repeat(900)}`, index, count }).text).toBe(
      `head\n[1 line as in step 2, from: ${'x'.repeat(40)}]`,
    )
  })

  it("does not take a marker in somebody else's text for its own", () => {
    const mimic = ['[+30 lines as in step 1]', ...body.slice(0, 10), '[+10 lines as in step 1]'].join('\n')
    const { index, texts } = show([body.join('\n'), mimic])
    const referred = referRepeats({ text: mimic, index, count })
    expect(resolveReferences(referred, (key) => texts.get(key))).toBe(mimic)
    expect(referred.references.every(({ key, lines }) => key === 'k0' || lines <= 10)).toBe(true)
  })

  it('says so when what it points at is no longer shown', () => {
    const { index } = show([body.join('\n')])
    const referred = referRepeats({ text: body.join('\n'), index, count })
    expect(resolveReferences(referred, () => undefined)).toBeUndefined()
    expect(resolveReferences(referred, () => 'one line')).toBeUndefined()
  })

  it('adding to an index leaves it as it was, also when it is added to twice', () => {
    const empty = lineIndex()
    const one = empty.add({ key: 'a', step: 1, call: false }, body.slice(0, 10).join('\n'))
    const two = one.add({ key: 'b', step: 2, call: false }, body.join('\n'))
    const other = one.add({ key: 'c', step: 2, call: true }, 'something else')
    const text = body.join('\n')
    expect([empty.size, one.size, two.size, other.size]).toEqual([0, 1, 2, 2])
    expect(referRepeats({ text, index: empty, count }).references).toEqual([])
    expect(referRepeats({ text, index: one, count }).references.map(({ key }) => key)).toEqual(['a'])
    expect(referRepeats({ text, index: two, count }).references.map(({ key }) => key)).toEqual(['b'])
    expect(referRepeats({ text, index: other, count }).references.map(({ key }) => key)).toEqual(['a'])
  })

  it('resolves to the very text, whatever the lines are', () => {
    const line = fc.constantFrom(
      ...body.slice(0, 6),
      '',
      '}',
      'y'.repeat(300),
      'Error: no',
      '[same as step 1, lines 2-4]',
      '[1-9 folded: h4ndle]',
      '\ud800',
      'a\r',
    )
    const text = fc.array(line, { maxLength: 40 }).map((lines) => lines.join('\n'))
    fc.assert(
      fc.property(fc.array(text, { minLength: 2, maxLength: 5 }), (texts) => {
        let index = lineIndex()
        const shown = new Map<string, string>()
        texts.forEach((original, at) => {
          const referred = referRepeats({ text: original, index, count })
          expect(resolveReferences(referred, (key) => shown.get(key))).toBe(original)
          expect(count(referred.text)).toBeLessThanOrEqual(count(original))
          shown.set(`k${at}`, referred.text)
          index = index.add({ key: `k${at}`, step: at + 1, call: false }, referred.text)
        })
      }),
      { numRuns: 120 },
    )
  })

  it('stays linear where every line is like every other', () => {
    const same = Array.from({ length: 20_000 }, () => 'the very same line of text').join('\n')
    const { index } = show([same, same])
    const { references } = referRepeats({ text: `${same}\nend`, index, count })
    expect(references).toHaveLength(1)
  })
})
