import { describe, expect, it } from 'vitest'
import { readNearMarker } from './near-marker.ts'

/** As models write them that were shown markers. */
const nearForms = [
  '# [+20 lines as in step 4]',
  '[lines 6-33 folded]',
  '// [lines 6-33 not shown]',
  '[... 28 lines folded ...]',
  '[lines 6-33 folded: see above]',
  '    # [lines 6–33 folded]',
  '+[lines 6-33 folded]',
  '- [lines 6-33 folded]',
  '-- [lines 6-33 not shown]',
  '/* [lines 6-33 folded] */',
  '<!-- [lines 6-33 folded] -->',
  '; [line 6 folded]',
  '% [lines 6 to 33 folded]',
  '[line 6 folded: 482915037114]',
  '[6-33 folded]',
  '[6-33 not shown]',
  '[6-33 lines folded]',
  '[lines 6-33 written, not shown]',
  '[lines 6-33 are not shown here]',
  '(lines 6-33 folded)',
  '<lines 6-33 folded>',
  '... [28 lines folded] ...',
  '# ... [lines 6-33 folded]',
  '[28 lines not shown]',
  '[+28 more lines folded]',
  '[20 lines as in step 4]',
  '[+20 lines as in the call of step 4]',
  '[+20 lines as in step 4, 3 before this]',
  '[20 lines same as in step 4]',
  '+20 lines as in step 4',
  '// lines 6-33 folded',
  '[folded]',
  '[folded: 482915037114]',
  '[folded: rehydrate(482915037114)]',
  '[rest of the file: rehydrate("482915037114")]',
  '[lines 6-33 of app.ts folded]',
  '[lines 6-33 omitted]',
  '// [lines 6-33 unchanged]',
  '[Tool: read - ok, 400 tokens] rehydrate("482915037114")',
  '[Tool: read - ok, 400 tokens, step 3]',
]

const ordinary = [
  '',
  '...',
  '# ... rest of the code unchanged',
  '// existing code',
  '[57, 90]',
  'rows[6:33]',
  '# 20 lines as in the original',
  'fold([lines])',
  'the file has 28 lines folded into one',
  'const folded = lines.map((line) => line)',
  "['folded']",
  '[folded] = items',
  '[not shown]',
  '[hidden]',
  '<div hidden>',
  '- [ ] lines 6-33: not shown yet in the menu',
  'if (lines[6] === unchanged) return',
  '[x.tokens for x in lines]',
  '[extract](./extract.md)',
  'def rehydrate(self, state):',
  'await rehydrate(store)',
  'print("[lines 6-33 folded]")',
]

describe('what models write in the manner of a marker', () => {
  it.each(nearForms)('%s', (line) => {
    expect(readNearMarker(line)).toBeDefined()
  })

  it('the lines and the step that it names are read', () => {
    expect(readNearMarker('// [lines 6–33 not shown]')).toMatchObject({ first: 6, last: 33 })
    expect(readNearMarker('[line 6 folded]')).toMatchObject({ first: 6, last: 6 })
    expect(readNearMarker('# [+20 lines as in step 4]')).toEqual({
      says: '+20 lines as in step 4',
      lines: 20,
      step: 4,
    })
    expect(readNearMarker('[... 28 lines folded ...]')).toEqual({ says: '... 28 lines folded ...' })
  })
})

describe('no line of ordinary text', () => {
  it.each(ordinary)('%j', (line) => {
    expect(readNearMarker(line)).toBeUndefined()
  })
})

it('a hostile line takes no more computing than some others', () => {
  const lines = ['[', ' ', '...', '\t', '1-', 'lines 1 ', 'folded ', '/*'].flatMap((piece) => [
    `folded${piece.repeat(80)}`.slice(0, 260),
    `[lines 1-2 folded: ${piece.repeat(80)}`.slice(0, 259),
  ])
  const plain = lines.map(
    (_, at) => `const folded${at} = [lines, ${at}, 'what a line of code says'] // ${'and so on '.repeat(20)}`,
  )
  computingOf(plain)
  expect(computingOf(lines)).toBeLessThan(1000 * Math.max(1_000, computingOf(plain)))
  expect(readNearMarker(`[lines 1-2 folded: ${'x'.repeat(1_000_000)}]`)).toBeUndefined()
})

/** Microseconds of processor that a hundred rounds take: what else the machine does is not in them. */
function computingOf(lines: readonly string[]): number {
  const before = process.cpuUsage()
  for (let round = 0; round < 100; round += 1) for (const line of lines) readNearMarker(line)
  const { user, system } = process.cpuUsage(before)
  return user + system
}
