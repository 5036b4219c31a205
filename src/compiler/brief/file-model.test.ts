import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asWritten, withAppended, withEdit, withInsertion } from './file-edits.ts'
import { unknownFile, withRead } from './file-model.ts'
import type { FileModel } from './file-model.ts'

const numbered = (first: number, last: number): readonly string[] =>
  Array.from({ length: last - first + 1 }, (_, at) => `line ${first + at}`)

const read = (model: FileModel, lines: readonly string[], step: number, first?: number): FileModel =>
  withRead(model, { lines, step, isWhole: false, ...(first !== undefined && { first }) })
const whole = (lines: readonly string[], step = 1): FileModel =>
  withRead(unknownFile, { lines, step, isWhole: true, first: 1 })
const edit = (model: FileModel, old: string, text: string, step: number): FileModel =>
  withEdit(model, { old, text, step, every: false })
const editAll = (model: FileModel, old: string, text: string): FileModel =>
  withEdit(model, { old, text, step: 2, every: true })

/** Each run as the number of its first line and its lines; edited lines with their step. */
function shown({ runs }: FileModel): readonly string[] {
  return runs.map(({ first, rows }) => {
    const lines = rows.map(({ text, edited }) => (edited === 0 ? text : `${text}@${edited}`))
    return `${first ?? '?'}: ${lines.join(' | ')}`
  })
}

describe('a model of a file', () => {
  it('lays a part that was read at its place, and leaves what it does not cover', () => {
    const model = read(read(read(unknownFile, numbered(1, 4), 1, 1), numbered(8, 9), 2, 8), ['line 4', 'new 5'], 3, 4)
    expect(shown(model)).toEqual(['1: line 1 | line 2 | line 3 | line 4 | new 5', '8: line 8 | line 9'])
  })

  it('keeps a plan of which a later read shows the first and the last line only', () => {
    const plan = asWritten(['# Plan', ...numbered(2, 40), '# End'].join('\n'), 1)
    const later = read(read(plan, ['# Plan', 'line 2'], 2, 1), ['line 40', '# End'], 3, 40)
    expect(later.runs[0]?.rows).toHaveLength(41)
  })

  it('applies edits in place, and only what differs is edited', () => {
    const model = edit(whole(['a {', '  one', '  two', '}']), '  one\n  two\n', '  one\n  2\n  three\n', 5)
    expect(shown(model)).toEqual(['1: a { |   one |   2@5 |   three@5 | }'])
  })

  it('edits inside of lines, across them, and everywhere', () => {
    const model = whole(['let one = 1', 'use(one)', 'end'])
    expect(shown(edit(model, 'one = 1\nuse', 'two = 2\ntake', 2))).toEqual(['1: let two = 2@2 | take(one)@2 | end'])
    expect(shown(editAll(model, 'one', 'x'))).toEqual(['1: let x = 1@2 | use(x)@2 | end'])
    expect(shown(editAll(whole(['one one']), 'one', 'one one'))).toEqual(['1: one one one one@2'])
  })

  it('an edit moves the lines behind it', () => {
    const parts = read(read(unknownFile, numbered(1, 3), 1, 1), numbered(10, 12), 2, 10)
    const model = edit(parts, 'line 2', 'line 2\nmore', 3)
    expect(shown(model)).toEqual(['1: line 1 | line 2 | more@3 | line 3', '11: line 10 | line 11 | line 12'])
    expect(shown(read(model, ['line 12', 'line 13'], 4, 13))).toEqual([
      '1: line 1 | line 2 | more@3 | line 3',
      '11: line 10 | line 11 | line 12 | line 13',
    ])
  })

  it('a cut shows by the line before it', () => {
    expect(shown(edit(whole(['keep', 'drop', 'end']), 'keep\ndrop\n', 'keep\n', 2))).toEqual(['1: keep@2 | end'])
  })

  it('an edit of lines that were not seen stands by itself until they are read', () => {
    const model = edit(read(unknownFile, numbered(1, 3), 1, 1), 'old line 50', 'new line 50\nnew line 51', 2)
    expect(shown(model)).toEqual(['1: line 1 | line 2 | line 3', '?: new line 50@2 | new line 51@2'])
    const later = read(model, ['line 49', 'new line 50', 'new line 51', 'line 52'], 3, 49)
    expect(shown(later)).toEqual([
      '1: line 1 | line 2 | line 3',
      '49: line 49 | new line 50@2 | new line 51@2 | line 52',
    ])
  })

  it('what such an edit has replaced is shown no more', () => {
    const model = edit(
      read(unknownFile, ['a first line', 'an old line here', 'a last line'], 1, 1),
      'an old line here\nunseen',
      'new',
      2,
    )
    expect(shown(model)).toEqual(['1: a first line', '3: a last line', '?: new@2'])
  })

  it('lines that were put in front by somebody else move what is known', () => {
    const model = edit(read(unknownFile, numbered(10, 20), 1, 10), 'line 20', 'line twenty', 2)
    const later = read(model, ['new', ...numbered(10, 14)], 3, 12)
    expect(shown(later)).toEqual([`12: ${['new', ...numbered(10, 19), 'line twenty@2'].join(' | ')}`])
  })

  it('one line that is alike by chance moves nothing', () => {
    const model = read(unknownFile, [...numbered(1, 5), '  return value'], 1, 1)
    const later = read(model, ['  return value', 'other line'], 2, 200)
    expect(shown(later)[0]).toBe('1: line 1 | line 2 | line 3 | line 4 | line 5 |   return value')
  })

  it('a read of all lines forgets what is gone and remembers what was edited', () => {
    const model = edit(whole(['a line', 'another one', 'the end']), 'another one', 'edited one', 4)
    const later = withRead(model, { lines: ['edited one', 'the end', 'a new end'], step: 9, isWhole: true, first: 1 })
    expect(shown(later)).toEqual(['1: edited one@4 | the end | a new end'])
    const undone = withRead(model, { lines: ['a line', 'another one'], step: 9, isWhole: true, first: 1 })
    expect(shown(undone)).toEqual(['1: a line | another one'])
  })

  it('a part without a number is placed by its lines', () => {
    const model = read(read(unknownFile, numbered(1, 6), 1, 1), ['line 5', 'line 6', 'line 7'], 2)
    expect(shown(model)).toEqual([`1: ${numbered(1, 7).join(' | ')}`])
  })

  it('inserts and appends', () => {
    const model = withAppended(withInsertion(asWritten('a\nb\n', 1), 1, 'between', 2), 'end\n', 3)
    expect(shown(model)).toEqual(['1: a | between@2 | b | end@3'])
  })

  it('follows any edits of a file that was read whole', () => {
    const words = fc.constantFrom('aaaa', 'bbbb', 'cccc', 'dddd', '', '  x')
    const text = fc.array(words, { minLength: 1, maxLength: 12 }).map((lines) => lines.join('\n'))
    const change = fc.record({ from: fc.nat(60), size: fc.integer({ min: 1, max: 20 }), text })
    fc.assert(
      fc.property(text, fc.array(change, { maxLength: 6 }), (start, changes) => {
        let file = start
        let model = whole(file.split('\n'))
        changes.forEach(({ from, size, text: replacement }, at) => {
          const begin = from % (file.length + 1)
          const old = file.slice(begin, begin + size)
          if (old === '' || file.indexOf(old) !== file.lastIndexOf(old)) return
          file = file.slice(0, begin) + replacement + file.slice(begin + size)
          model = edit(model, old, replacement, at + 2)
        })
        expect(model.runs.flatMap(({ rows }) => rows.map((row) => row.text)).join('\n')).toBe(file)
      }),
    )
  })

  it('never shows a line that no read or edit had', () => {
    const part = fc.record({ first: fc.integer({ min: 1, max: 40 }), size: fc.integer({ min: 1, max: 12 }) })
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const model = parts.reduce(
          (known, { first, size }, at) => read(known, numbered(first, first + size - 1), at + 1, first),
          unknownFile,
        )
        for (const { first = 0, rows } of model.runs)
          rows.forEach(({ text }, at) => expect(text).toBe(`line ${first + at}`))
        const known = new Set(parts.flatMap(({ first, size }) => numbered(first, first + size - 1)))
        expect(model.runs.reduce((sum, { rows }) => sum + rows.length, 0)).toBe(known.size)
      }),
    )
  })
})
