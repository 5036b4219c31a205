import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanText } from './clean-text.ts'

const escape = String.fromCharCode(27)

describe('cleanText', () => {
  it('takes out colours, cursor moves and titles', () => {
    const text = `${escape}[1;32mok${escape}[0m ${escape}[2K${escape}]0;title${String.fromCharCode(7)}done`
    expect(cleanText(text, 'log')).toBe('ok done')
  })

  it('keeps only the last state of a progress line', () => {
    expect(cleanText('Receiving:  10% (1/9)\rReceiving:  50% (5/9)\rReceiving: 100% (9/9), done.\nnext', 'log')).toBe(
      'Receiving: 100% (9/9), done.\nnext',
    )
  })

  it('leaves carriage returns that are not progress, and those of line ends', () => {
    expect(cleanText('one\rtwo\rthree', 'prose')).toBe('one\rtwo\rthree')
    expect(cleanText('a\r\nb\r\n', 'log')).toBe('a\r\nb\r\n')
  })

  it('takes spaces off line ends only where nobody edits or applies the text', () => {
    expect(cleanText('a  \nb\t\r\n', 'log')).toBe('a\nb\r\n')
    for (const kind of ['source-code', 'diff', 'table', 'prose', 'search-results'] as const)
      expect(cleanText('a  \n \n', kind)).toBe('a  \n \n')
  })

  it('never grows, and is settled after one pass', () => {
    const piece = fc.constantFrom(' ', '\t', '\r', '\n', '10%', 'x', `${escape}[31m`, `${escape}]`, '\ud800')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (parts) => {
        const cleaned = cleanText(parts.join(''), 'log')
        expect(cleaned.length).toBeLessThanOrEqual(parts.join('').length)
      }),
    )
  })

  it('is linear', () => {
    expect(cleanText(' '.repeat(1_000_000) + 'x', 'log')).toHaveLength(1_000_001)
    expect(cleanText(`${escape}]`.repeat(100_000), 'log').length).toBeGreaterThan(0)
  })
})
