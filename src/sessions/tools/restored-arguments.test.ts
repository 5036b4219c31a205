import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { restoredArguments } from './restored-arguments.ts'

const restore = (text: string): string => text.replaceAll('[WHO]', 'Jane "J" Doe\\\n')

describe('arguments in the words of their user', () => {
  it('stay JSON whatever the words are, names and values, at any depth', () => {
    const json = '{ "to": ["[WHO]", {"[WHO]": "as [WHO]"}], "n": 12345678901234567890, "e": "\\u0041\\\\" }'
    const restored = restoredArguments(json, restore)
    const who = restore('[WHO]')
    expect(JSON.parse(restored)).toMatchObject({ to: [who, { [who]: `as ${who}` }], e: 'A\\' })
    expect(restored).toContain('"n": 12345678901234567890, "e": "\\u0041\\\\" }')
  })

  it('that are no JSON are restored as the text that they are', () => {
    expect(restoredArguments('mail [WHO] "now', restore)).toBe(restore('mail [WHO] "now'))
  })

  it('in which nothing was masked stay byte for byte', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(0, 2), (json, indent) => {
        const written = JSON.stringify(JSON.parse(json), null, indent)
        expect(restoredArguments(written, restore)).toBe(written)
      }),
    )
  })
})
