import { expect, it } from 'vitest'
import { textLines } from './text-lines.ts'
import { trimLines } from './trim-lines.ts'

const handle = '482915037114'

it('joins the kept lines of a run as the text has them: line feeds, parted lines, lines that overwrote themselves', () => {
  const long = 'a word and another. '.repeat(60)
  const text = textLines(`first\n${long}\nloading 1%\rloading 100%\n\nlast`)
  expect(text.joined).toContain(1)
  const { text: shown, folds } = trimLines({ text, keep: new Uint8Array(text.lines.length).fill(1), handle })
  expect(shown).toBe(`first\n${long}\nloading 100%\n\nlast`)
  expect(folds).toEqual([])
})

it('breaks the line before a marker, also where the text has no line feed there', () => {
  const text = textLines('a word and another. '.repeat(100))
  const keep = new Uint8Array(text.lines.length)
  keep[0] = 1
  const { text: shown, folds } = trimLines({ text, keep, handle })
  expect(folds).toEqual([{ first: 2, last: text.lines.length, handle }])
  expect(shown.startsWith(`${text.lines[0] ?? ''}\n[`)).toBe(true)
})
