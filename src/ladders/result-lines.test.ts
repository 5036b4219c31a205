import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { originalLines } from './original-lines.ts'
import { hasLinesInStrings, resultLines } from './result-lines.ts'
import { selectFrom } from './text-lines.ts'

const body = Array.from({ length: 30 }, (_, at) => `${at + 1} | say("line ${at}", '\\n')\t// é 😀`)
const result = JSON.stringify([{ query: 'cat a.ts', result: body.join('\n'), success: true }])

describe('resultLines', () => {
  it('of any text are its own lines', () => {
    for (const text of [
      '',
      'a',
      'a\nb\n',
      '{"a": 1}',
      '["no line feed"]',
      `{\n"a": "b\\nc"}`,
      '{"a\\nb": 1}',
      '{"a\\n',
    ]) {
      const { lines, starts, ends, written } = resultLines(text)
      expect(lines).toEqual(text.split('\n'))
      expect(lines.map((_, at) => text.slice(starts[at], ends[at]))).toEqual(lines)
      expect(written(lines)).toBe(text)
      expect(hasLinesInStrings(text)).toBe(false)
    }
  })

  it('of JSON on one line are the lines of its strings that have several', () => {
    expect(resultLines(result).lines).toEqual(body)
    const both = JSON.stringify({ out: 'a\nb\n', code: 1, nested: [{ err: 'c\n"d"' }] })
    const { lines, texts } = resultLines(both)
    expect(lines).toEqual(['a', 'b', '', 'c', '"d"'])
    expect(texts).toEqual([
      { first: 0, end: 3 },
      { first: 3, end: 5 },
    ])
  })

  it('a range brings each line back that has one, and the last line of a string has none', () => {
    const { lines, ranges } = resultLines(result)
    const found = ranges()
    const original = originalLines({ text: result, kind: 'tool-result' })
    expect(found.slice(1, -1).every((range) => range !== undefined)).toBe(true)
    expect(found.at(-1)).toBeUndefined()
    found.forEach((range, at) => {
      if (range !== undefined) expect(selectFrom(original, `${range.first}-${range.last}`)).toBe(`${lines[at]}\n`)
    })
  })

  it('a line that is escaped in another way has no range', () => {
    const ascii = result.replaceAll('é', String.raw`\u00e9`)
    expect(resultLines(ascii).lines).toEqual(body)
    expect(
      resultLines(ascii)
        .ranges()
        .every((range) => range === undefined),
    ).toBe(true)
  })

  it('takes time linear in the JSON, however many strings it has', () => {
    const [first, rest] = [JSON.stringify('a\nb'), Array.from({ length: 60_000 }, (_, at) => `text number ${at}`)]
    const large = `[${first},${JSON.stringify(rest).slice(1)}`
    const startedMs = performance.now()
    expect(resultLines(large).lines).toEqual(['a', 'b'])
    expect(performance.now() - startedMs).toBeLessThan(1000)
  })

  it('parts any JSON so that what it says is written back', () => {
    const line = fc.oneof(
      fc.string({
        unit: fc.constantFrom('a', '"', '\\', 'n', 'é', '\ud83d', '😀', '\t', ' ', '\u2028'),
        maxLength: 80,
      }),
      fc.constantFrom('word '.repeat(150), '{"a": "b\\nc"}', '], "x": "'),
    )
    const text = fc.array(line, { maxLength: 40 }).map((lines) => lines.join('\n'))
    const json = fc.array(fc.record({ query: line, result: text, success: fc.boolean() }), { maxLength: 3 })
    fc.assert(
      fc.property(json, (value) => {
        const written = JSON.stringify(value)
        const read = resultLines(written)
        const original = originalLines({ text: written, kind: 'tool-result' })
        const said = value.flatMap((each) => (each.result.includes('\n') ? each.result.split('\n') : []))
        expect(read.lines).toEqual(said.length === 0 ? [written] : said)
        read.ranges().forEach((range, at) => {
          expect(written.slice(read.starts[at], read.ends[at])).toBe(read.written([read.lines[at] ?? '']))
          if (range !== undefined && said.length > 0)
            expect(selectFrom(original, `${range.first}-${range.last}`)).toBe(`${read.lines[at]}\n`)
        })
      }),
      { numRuns: 200 },
    )
  })
})
