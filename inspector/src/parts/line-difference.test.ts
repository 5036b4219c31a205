import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineDifference } from './line-difference.ts'

const options = { context: 2, timeoutMs: 5000 }

/** What the hunks make of `before`; undefined where a line that they name does not stand there. */
function applied(before: string, after: string): string | undefined {
  const old = before.split('\n')
  const made: string[] = []
  let at = 0
  for (const { oldStart, newStart, lines } of lineDifference(before, after, options)) {
    while (at < oldStart - 1) made.push(old[at++] ?? '')
    if (made.length !== newStart - 1) return undefined
    for (const line of lines) {
      if (!line.startsWith('+') && old[at++] !== line.slice(1)) return undefined
      if (!line.startsWith('-')) made.push(line.slice(1))
    }
  }
  return [...made, ...old.slice(at)].join('\n')
}

test('what has come and what is gone make the second text of the first', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', '', '+', '-d', 'e', 'f', 'g'), { maxLength: 30 })
  fc.assert(
    fc.property(text, text, (one, other) => {
      const [before, after] = [one.join('\n'), other.join('\n')]
      expect(applied(before, after)).toBe(after)
    }),
  )
})

test('lines around a place are shown, and no others', () => {
  const before = Array.from({ length: 100 }, (_, index) => `line ${index}`)
  const after = before.with(50, 'changed')
  expect(lineDifference(before.join('\n'), after.join('\n'), options)).toEqual([
    {
      oldStart: 49,
      newStart: 49,
      lines: [' line 48', ' line 49', '-line 50', '+changed', ' line 51', ' line 52'],
    },
  ])
})

test('what cannot be compared in time is gone, and has come, as a whole', () => {
  const [hunk] = lineDifference('a\na\nb\nb', 'b\nb\na\na', { context: 2, timeoutMs: 0 })
  expect(hunk?.lines).toEqual(['-a', '-a', '-b', '-b', '+b', '+b', '+a', '+a'])
})
