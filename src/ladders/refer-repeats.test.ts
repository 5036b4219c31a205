import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineIndex } from './line-index.ts'
import type { LineIndex } from '../core/index.ts'
import { referenceMarker } from './marker.ts'
import { referRepeats, resolveReferences } from './refer-repeats.ts'
import { originalLines } from './original-lines.ts'
import { hasLinesInStrings, resultLines } from './result-lines.ts'
import { selectFrom, selectLines } from './text-lines.ts'

const count = (text: string) => Math.ceil(text.length / 4)
const handle = '0123456789ab'
/** What a text has for itself, so that not all of it is said elsewhere. */
const fresh = Array.from({ length: 6 }, (_, at) => `a line of its own, number ${at}, that stands nowhere else at all`)
const body = Array.from({ length: 30 }, (_, index) => `    value_${index} = compute(${index}, "text")`)

interface Shown {
  readonly index: LineIndex
  readonly texts: ReadonlyMap<string, string>
}

function show(texts: readonly string[]): Shown {
  let index = lineIndex()
  const shown = new Map<string, string>()
  texts.forEach((text, at) => {
    index = index.add({ key: `k${at}`, step: at + 1, call: false }, resultLines(text).lines)
    shown.set(`k${at}`, text)
  })
  return { index, texts: shown }
}

describe('referRepeats', () => {
  it('names the step and the lines where a run stands, and saves tokens', () => {
    const { index, texts } = show([['first', ...body].join('\n')])
    const text = [...fresh, ...body.slice(4, 20), 'new tail'].join('\n')
    const referred = referRepeats({ text, index, count, handle })
    const marker = `[+15 lines as in step 1: rehydrate("${handle}", "8-22")]`
    expect(referred.text).toBe([...fresh, body[4], marker, 'new tail'].join('\n'))
    expect(selectLines(text, '8-22')).toBe(body.slice(5, 20).join('\n'))
    expect(referred.references).toEqual([{ key: 'k0', firstLine: 7, lines: 15, at: 8 }])
    expect(referred.savedTokens).toBeGreaterThan(100)
    expect(resolveReferences(referred, (key) => texts.get(key))).toBe(text)
  })

  it('says how many steps back that is, where its own step is known', () => {
    const { index } = show([['first', ...body].join('\n')])
    const { text } = referRepeats({ text: [...fresh, ...body.slice(4, 20)].join('\n'), index, count, handle, step: 7 })
    expect(text).toContain(`[+15 lines as in step 1, 6 before this: rehydrate("${handle}", "8-22")]`)
  })

  it('leaves a last line that sums up all before it', () => {
    const { index } = show([['first', ...body, '30 passed, 0 failed'].join('\n')])
    const { text } = referRepeats({ text: [...fresh, ...body, '30 passed, 0 failed'].join('\n'), index, count, handle })
    expect(text).toMatch(/\[\+29 lines as in step 1: [^\n]*\]\n30 passed, 0 failed$/)
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
      const run = body.slice(0, 15).join('\n')
      // Of a reference, one token is that of its line break.
      const inTokens = (text: string) => (text.startsWith('[+') ? referenceTokens - 1 : copyTokens)
      let { index } = show([run])
      const savings = Array.from({ length: copies - 1 }, (_, copy) => {
        const again = [...fresh, run, ...fresh].join('\n')
        const { savedTokens, text } = referRepeats({ text: again, index, count: inTokens, handle })
        expect(text === again).toBe(saved === 0)
        index = index.add({ key: `copy ${copy}`, step: copy + 2, call: false }, run.split('\n'))
        return savedTokens
      })
      expect(savings.reduce((sum, saving) => sum + saving, 0)).toBe(saved)
    },
  )

  it('takes the longest run, and of equal ones the newest', () => {
    const { index } = show([body.slice(0, 12).join('\n'), body.join('\n'), body.join('\n')])
    expect(referRepeats({ text: [...fresh, ...body, ...fresh].join('\n'), index, count, handle }).references).toEqual([
      { key: 'k2', firstLine: 2, lines: 29, at: 8 },
    ])
  })

  it('never joins two items into one run', () => {
    const { index } = show([body.slice(0, 15).join('\n'), body.slice(15).join('\n')])
    const text = [...fresh, ...body, ...fresh].join('\n')
    const { references } = referRepeats({ text, index, count, handle })
    expect(references.map(({ key, lines }) => [key, lines])).toEqual([
      ['k0', 14],
      ['k1', 14],
    ])
  })

  it('views with other line numbers do not count as equal', () => {
    const { index } = show([body.map((line, at) => `${at + 1}\t${line}`).join('\n')])
    expect(
      referRepeats({ text: body.map((line, at) => `${at + 2}\t${line}`).join('\n'), index, count, handle }).references,
    ).toEqual([])
  })

  it('A-058: lines that state an error or an exit stand in full', () => {
    const text = ['<returncode>1</returncode>', ...body.slice(0, 8), 'ValueError: bad', ...body.slice(8, 16)].join('\n')
    const { index } = show([text])
    const { text: shown } = referRepeats({ text, index, count, handle })
    expect(shown).toContain('<returncode>1</returncode>\n')
    expect(shown).toContain('\nValueError: bad\n')
  })

  it('leaves runs of fewer than twelve lines alone, and a result that stands elsewhere whole', () => {
    const { index } = show([body.join('\n')])
    const runOf = (lines: number) => [...fresh, ...body.slice(0, lines), ...fresh].join('\n')
    expect(referRepeats({ text: runOf(12), index, count, handle }).references).toEqual([])
    expect(referRepeats({ text: runOf(13), index, count, handle }).references).toMatchObject([{ lines: 12 }])
    expect(referRepeats({ text: body.join('\n'), index, count, handle }).references).toEqual([])
  })

  it('refers only to a place that the line above tells from every other', () => {
    const twice = [body[0], 'x', ...body].join('\n')
    const { index } = show([twice])
    const text = [...fresh, ...body, ...fresh].join('\n')
    // The first line stands twice in the step, the second once.
    expect(referRepeats({ text, index, count, handle }).text).toContain(`${body[0]}\n${body[1]}\n[+28 lines`)
    const everyTwice = show([[...body, ...body].join('\n')])
    expect(referRepeats({ text, index: everyTwice.index, count, handle }).references).toEqual([])
  })

  it('counts the pieces of overlong lines as the lines that a handle brings back', () => {
    const long = Array.from({ length: 200 }, (_, at) => `word${at},`).join(' ')
    const { index } = show([body.join('\n')])
    const text = [long, ...fresh, ...body.slice(0, 20), long].join('\n')
    const { text: shown } = referRepeats({ text, index, count, handle })
    const range = /"(\d+-\d+)"\)\]/.exec(shown)?.[1] ?? ''
    expect(selectLines(text, range)).toBe(body.slice(1, 20).join('\n'))
  })

  it("does not take a marker in somebody else's text for its own", () => {
    const other = referenceMarker({ step: 1, call: false, lines: 30, first: 1, last: 30, handle: 'abcdabcd' })
    const mimic = [other, ...fresh, ...body.slice(0, 20), other, ...fresh].join('\n')
    const { index, texts } = show([body.join('\n'), mimic])
    const referred = referRepeats({ text: mimic, index, count, handle })
    expect(resolveReferences(referred, (key) => texts.get(key))).toBe(mimic)
    expect(referred.references.length).toBeGreaterThan(0)
    expect(referred.references.every(({ key, lines }) => key === 'k0' || lines <= 20)).toBe(true)
  })

  it('says so when what it points at is no longer shown', () => {
    const { index } = show([body.join('\n')])
    const referred = referRepeats({ text: [...fresh, ...body].join('\n'), index, count, handle })
    expect(resolveReferences(referred, () => undefined)).toBeUndefined()
    expect(resolveReferences(referred, () => 'one line')).toBeUndefined()
  })

  it('adding to an index leaves it as it was, also when it is added to twice', () => {
    const empty = lineIndex()
    const one = empty.add({ key: 'a', step: 1, call: false }, body.slice(0, 16))
    const two = one.add({ key: 'b', step: 2, call: false }, body)
    const other = one.add({ key: 'c', step: 2, call: true }, ['something else'])
    const text = [...fresh, ...body, ...fresh].join('\n')
    expect([empty.size, one.size, two.size, other.size]).toEqual([0, 1, 2, 2])
    expect(referRepeats({ text, index: empty, count, handle }).references).toEqual([])
    expect(referRepeats({ text, index: one, count, handle }).references.map(({ key }) => key)).toEqual(['a'])
    expect(referRepeats({ text, index: two, count, handle }).references.map(({ key }) => key)).toEqual(['b'])
    expect(referRepeats({ text, index: other, count, handle }).references.map(({ key }) => key)).toEqual(['a'])
  })

  it('resolves to the very text, whatever the lines are', () => {
    const line = fc.constantFrom(
      ...body.slice(0, 6),
      '',
      '}',
      'y'.repeat(300),
      'Error: no',
      '[+18 lines as in step 1: rehydrate("0123456789ab", "4-21")]',
      ...body.slice(6),
      '[1-9 folded: h4ndle]',
      '\ud800',
      'a\r',
    )
    const text = fc
      .tuple(fc.array(line, { maxLength: 40 }), fc.nat(20))
      .map(([lines, from]) => [...lines, ...body.slice(from)])
      .map((lines) => lines.join('\n'))
    fc.assert(
      fc.property(fc.array(text, { minLength: 2, maxLength: 5 }), (texts) => {
        let index = lineIndex()
        const shown = new Map<string, string>()
        texts.forEach((original, at) => {
          const referred = referRepeats({ text: original, index, count, handle })
          expect(resolveReferences(referred, (key) => shown.get(key))).toBe(original)
          expect(count(referred.text)).toBeLessThanOrEqual(count(original))
          shown.set(`k${at}`, referred.text)
          index = index.add({ key: `k${at}`, step: at + 1, call: false }, referred.text.split('\n'))
        })
      }),
      { numRuns: 120 },
    )
  })

  it('stays linear where every line is like every other', () => {
    const same = Array.from({ length: 20_000 }, () => 'the very same line of text').join('\n')
    const { index } = show([same, same])
    const { references } = referRepeats({ text: `${same}\nend`, index, count, handle })
    expect(references).toHaveLength(0)
  })
})

/** A result as agents give it that wrap what a tool has printed in JSON. */
const wrapped = (...texts: readonly string[]) =>
  JSON.stringify(texts.map((result, at) => ({ query: `cat "file ${at}"`, result, success: true })))

/** What a handle brings back for each marker of a text. */
function broughtBack(shown: string, original: string): readonly string[] {
  const lines = originalLines({ text: original, kind: 'tool-result' })
  return resultLines(shown).lines.flatMap((line) => {
    const range = /rehydrate\("\w+", "(\d+-\d+)"\)\]$/.exec(line)?.[1]
    return range === undefined ? [] : [selectFrom(lines, range) ?? 'nothing']
  })
}

describe('referRepeats in JSON on one line', () => {
  const first = wrapped(['first', ...body].join('\n'))

  it('refers within the string, as a line of it, to lines of an earlier string', () => {
    const { index, texts } = show([first])
    const text = wrapped([...fresh, ...body.slice(4, 20), 'new tail'].join('\n'))
    const referred = referRepeats({ text, index, count, handle })
    const [{ result }] = JSON.parse(referred.text) as [{ readonly result: string }]
    const marker = /\[\+15 lines as in step 1: rehydrate\("0123456789ab", "\d+-\d+"\)\]/.exec(result)?.[0]
    expect(result).toBe([...fresh, body[4], marker, 'new tail'].join('\n'))
    expect(referred.references).toEqual([{ key: 'k0', firstLine: 7, lines: 15, at: 8 }])
    expect(broughtBack(referred.text, text)).toEqual([`${body.slice(5, 20).join('\n')}\n`])
    expect(resolveReferences(referred, (key) => texts.get(key))).toBe(text)
  })

  it('refers to lines of plain results and of calls, and they to its lines', () => {
    const plain = [...fresh, ...body.slice(4, 20), 'new tail'].join('\n')
    const { index } = show([first])
    expect(referRepeats({ text: plain, index, count, handle }).references).toMatchObject([{ firstLine: 7, lines: 15 }])
    const ofCall = lineIndex().add({ key: 'call', step: 1, call: true }, body)
    const { text } = referRepeats({ text: wrapped(plain), index: ofCall, count, handle, brief: true })
    expect(text).toContain(String.raw`\n[repeats lines 6-20 of the call of step 1]\nnew tail`)
  })

  it('never joins two strings, and leaves the last line of each that sums up', () => {
    const verdict = '30 passed, 0 failed'
    const [a, b] = [body.slice(0, 5).join('\n'), [...body.slice(5), verdict, ''].join('\n')]
    const { index, texts } = show([wrapped(a, b)])
    const text = wrapped(a, b, fresh.join('\n'), fresh.join('\n'))
    const referred = referRepeats({ text, index, count, handle })
    const results = JSON.parse(referred.text) as readonly { readonly result: string }[]
    expect(results.map(({ result }) => result.split('\n').at(-2))).toEqual([body[3], verdict, fresh[4], fresh[4]])
    expect(results[0]?.result).toBe(a)
    expect(results[1]?.result.split('\n')).toHaveLength(4)
    expect(resolveReferences(referred, (key) => texts.get(key))).toBe(text)
  })

  it('leaves lines that JSON has written in another way, and what no range brings back', () => {
    const umlauts = body.map((line) => `${line} ü`)
    const { index } = show([wrapped(umlauts.join('\n'))])
    const text = wrapped([...fresh, ...umlauts, ...fresh].join('\n'))
    expect(referRepeats({ text, index, count, handle }).references).toHaveLength(1)
    const ascii = text.replaceAll('ü', String.raw`\u00fc`)
    expect(referRepeats({ text: ascii, index, count, handle }).references).toEqual([])
  })

  it('brings back the very bytes, whatever the lines are', () => {
    const line = fc.constantFrom(
      ...body.slice(0, 6),
      '',
      '}',
      '"',
      String.raw`C:\new\n`,
      'y'.repeat(300),
      'z '.repeat(700),
      'Error: no',
      '\ud800',
      'a\r',
      '{"a": "b\\nc"}',
      `[+18 lines as in step 1: rehydrate("${handle}", "4-21")]`,
      'tests passed',
    )
    const text = fc
      .tuple(fc.array(line, { maxLength: 40 }), fc.nat(20), fc.array(line, { maxLength: 8 }))
      .map(([before, from, after]) => [...before, ...body.slice(from), ...after].join('\n'))
    const result = fc.oneof(
      text,
      fc.array(text, { minLength: 1, maxLength: 3 }).map((texts) => wrapped(...texts)),
    )
    let references = 0
    fc.assert(
      fc.property(fc.array(result, { minLength: 2, maxLength: 5 }), (texts) => {
        let index = lineIndex()
        const shown = new Map<string, string>()
        texts.forEach((original, at) => {
          const referred = referRepeats({ text: original, index, count, handle })
          const lines = new Map([...shown].map(([key, each]) => [key, resultLines(each).lines]))
          const meant = referred.references.map(({ key, firstLine, lines: length }) =>
            lines
              .get(key)
              ?.slice(firstLine - 1, firstLine - 1 + length)
              .join('\n'),
          )
          expect(resolveReferences(referred, (key) => shown.get(key))).toBe(original)
          if (original.startsWith('[{')) expect(() => JSON.parse(referred.text)).not.toThrow()
          const back = broughtBack(referred.text, original)
          for (const each of meant) expect(back).toContain(hasLinesInStrings(original) ? `${each}\n` : each)
          references += meant.length
          shown.set(`k${at}`, referred.text)
          index = index.add({ key: `k${at}`, step: at + 1, call: false }, resultLines(referred.text).lines)
        })
      }),
      { numRuns: 120 },
    )
    expect(references).toBeGreaterThan(50)
  })

  it('stays linear where every line is like every other', () => {
    const same = wrapped(Array.from({ length: 20_000 }, () => 'the very same line of "text"').join('\n'))
    const { index } = show([same, same])
    expect(referRepeats({ text: wrapped('x\ny', same), index, count, handle }).references).toHaveLength(0)
    expect(referRepeats({ text: same.replace('cat', 'head'), index, count, handle }).references).toHaveLength(0)
  })
})
