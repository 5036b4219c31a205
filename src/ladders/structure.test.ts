import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withStructure } from './structure.ts'
import { textLines } from './text-lines.ts'
import { trimLines } from './trim-lines.ts'

const handle = '482915037'

/** The text with only the lines shown that hold one of the words. */
function shown(text: string, ...words: readonly string[]): string {
  const split = textLines(text)
  const keep = Uint8Array.from(split.lines, (line) => (words.some((word) => line.includes(word)) ? 1 : 0))
  return trimLines({ text: split, keep, handle }).text
}

const records = Array.from({ length: 6 }, (_, index) => ({
  id: `R${index}`,
  owner: `owner-${index}`,
  note: 'n'.repeat(700),
  seats: index * 10,
}))

describe('structure of what is shown', () => {
  it('headroom#3099: a field never seems to belong to another record', () => {
    const pretty = shown(JSON.stringify(records, null, 2), '"R1"', '"seats": 40')
    expect(pretty.split('\n').filter((line) => !line.includes('folded'))).toEqual([
      '    "id": "R1",',
      '  {',
      '    "id": "R4",',
      '    "seats": 40',
    ])
    const oneLine = shown(JSON.stringify(records), '"R1"', '"seats":40')
    expect(oneLine).toMatch(/"id":"R1"[\s\S]*folded[\s\S]*"id":"R4"[\s\S]*"seats":40/)
  })

  it('lean-ctx#1387: a line of a command, a file or a section brings its heading', () => {
    const commands =
      '$ ls a\nfile-one\nfile-two with words\n$ ls b\nfile-three with words\nfile-four with words\nfile-five'
    expect(shown(commands, 'ls a', 'file-one', 'file-five')).toBe(
      '$ ls a\nfile-one\n[line 3 folded: rehydrate("482915037", "3")]\n$ ls b\n[5-6 folded: 482915037]\nfile-five',
    )
    const files =
      'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-old line in x\n+new line in x\ndiff --git a/y b/y\n--- a/y\n+++ b/y\n@@ -1,2 +1,2 @@\n-old line in y\n+new line in y'
    expect(shown(files, 'diff --git a/x', 'new line in y')).toMatch(
      /diff --git a\/y b\/y[\s\S]*\+\+\+ b\/y\n@@ -1,2[\s\S]*\+new line in y/,
    )
    const list =
      '- name: one\n  tool: first of all\n  keys:\n    path: string and more\n- name: two\n  tool: second of all\n  keys:\n    size: number and more'
    expect(shown(list, 'name: one', 'size: number')).toContain('- name: two\n')
  })

  it('in code a line brings its definition, not every block around it', () => {
    const code = [
      'def first(a):',
      '    if a:',
      '        return compute_one(a)',
      '',
      'def second(b):',
      '    if b:',
      '        for c in b:',
      '            yield compute_two(c)',
    ].join('\n')
    expect(shown(code, 'def first', 'compute_two')).toBe(
      'def first(a):\n[lines 2-4 folded: rehydrate("482915037", "2-4")]\ndef second(b):\n[6-7 folded: 482915037]\n            yield compute_two(c)',
    )
  })

  it('shows at least what was asked for, and after that nothing more', () => {
    const depth = fc.constantFrom(Number.NaN, -3, 0, 2, 4, 6)
    fc.assert(
      fc.property(fc.array(fc.tuple(depth, fc.boolean()), { maxLength: 30 }), (lines) => {
        const depths = Float64Array.from(lines, ([value]) => value)
        const keep = Uint8Array.from(lines, ([, kept]) => (kept ? 1 : 0))
        const once = withStructure({ depths }, keep)
        expect(once.every((value, index) => value >= (keep[index] ?? 0))).toBe(true)
        expect(withStructure({ depths }, once)).toEqual(once)
        expect(readsAlike(depths, once)).toBe(true)
      }),
    )
  })
})

/** Whether a reader who goes by depth takes every shown line for part of what it is part of. */
function readsAlike(depths: Float64Array, shownLines: Uint8Array): boolean {
  const all = [...depths.keys()].filter((index) => !Number.isNaN(depths[index]!))
  const visible = all.filter((index) => shownLines[index] === 1)
  const opener = (lines: readonly number[], index: number) =>
    lines.findLast((at) => at < index && depths[at]! < depths[index]!)
  return visible.every((index) => {
    const taken = opener(visible, index)
    if (taken !== undefined) return taken === opener(all, index)
    const sibling = visible.findLast((at) => at < index && depths[at] === depths[index])
    return sibling === undefined || opener(all, sibling) === opener(all, index)
  })
}
