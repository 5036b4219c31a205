import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callLines } from './call-lines.ts'
import { joinLines, splitLines } from './text-lines.ts'

const lines = Array.from(
  { length: 60 },
  (_, at) => `\tthis.set("level_${at}", '\\d+\\n') // é 😀 ${'x'.repeat(at * 7)}`,
)

/** Values that hold no quotation marks keep their places among those of the JSON. */
const joined = (json: string): string => {
  const split = callLines(json)
  return joinLines(split, 0, split.lines.length - 1)
}

describe('the lines of a call', () => {
  it('say what its strings say, by the numbers of the JSON', () => {
    const json = JSON.stringify({ path: 'src/a.ts', edits: [{ old: lines.join('\n'), new: 'one\ntwo' }], keep: true })
    const split = callLines(json)
    expect(split.lines).toHaveLength(splitLines(json).lines.length)
    expect(joined(json)).toContain(lines.join('\n'))
    expect(joined(json)).toMatch(/^\{"path":"src\/a\.ts","edits":\[\{"old":"\t/)
    expect(joined(json)).toMatch(/"new":"one\ntwo"\}\],"keep":true\}$/)
  })

  it('hold each string as it was written, wherever the JSON is parted', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', ' ', '\n', '\\', '"', '\t', 'é', '😀', '\u0007', '"'),
      maxLength: 900,
    })
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), fc.constantFrom(undefined, 2), (strings, indent) => {
        const said = joined(JSON.stringify(strings, undefined, indent))
        for (const each of strings) expect(said).toContain(`"${each}"`)
      }),
    )
  })

  it('stay as they are where they are no JSON', () => {
    for (const odd of ['', '"', '\\', '{"a": "\\', 'a\nb "c\\x"'.repeat(90)]) expect(() => callLines(odd)).not.toThrow()
    expect(joined('plain\ntext')).toBe('plain\ntext')
  })
})
