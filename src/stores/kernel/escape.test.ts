import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escaped, restored } from './escape.ts'

describe('texts for PostgreSQL', () => {
  it('any text comes back, and what is written has no NUL and no lone surrogate', () => {
    const unit = fc.oneof(fc.constantFrom('\0', '\u0001', '\uD800', '\uDFFF', '0', 'a'), fc.string({ unit: 'binary' }))
    fc.assert(
      fc.property(fc.array(unit), (units) => {
        const text = units.join('')
        const written = escaped(text)
        expect(written.isWellFormed() && !written.includes('\0')).toBe(true)
        expect(restored(written)).toBe(text)
      }),
    )
  })

  it('a text that PostgreSQL takes is written as it is', () => {
    for (const text of ['', 'plain', '🦉', '\r\n\t\uFFFD\uFEFF']) expect(escaped(text)).toBe(text)
  })

  it('what begins a text begins what is written of it', () => {
    expect(escaped('a\0b\u0001').startsWith(escaped('a\0'))).toBe(true)
  })
})
