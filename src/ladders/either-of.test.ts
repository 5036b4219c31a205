import { expect, test } from 'vitest'
import { eitherOf } from './either-of.ts'

const forms = [/^a/, /b$/, /^[^x]y/i, /^Q/]

test('a line has one of the forms exactly if it has any of them', () => {
  const letters = ['a', 'A', 'b', 'B', 'x', 'X', 'y', 'Y', 'q', 'Q', '']
  for (const first of letters)
    for (const second of letters)
      for (const third of letters) {
        const line = first + second + third
        expect(eitherOf(forms).some((form) => form.test(line))).toBe(forms.some((form) => form.test(line)))
      }
})

test('no forms, no looks', () => {
  expect(eitherOf([])).toEqual([])
})
