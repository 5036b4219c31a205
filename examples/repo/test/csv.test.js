import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseCsv, stringifyCsv } from '../src/csv.js'

describe('parseCsv', () => {
  test('splits rows and fields', () => {
    assert.deepEqual(parseCsv('a,b\n1,2\n'), [
      ['a', 'b'],
      ['1', '2'],
    ])
  })

  test('takes both kinds of line ends', () => {
    assert.deepEqual(parseCsv('a,b\r\n1,2\r\n'), [
      ['a', 'b'],
      ['1', '2'],
    ])
  })

  test('keeps the last row without a line end', () => {
    assert.deepEqual(parseCsv('a\nb'), [['a'], ['b']])
  })

  test('keeps separators inside quotes', () => {
    assert.deepEqual(parseCsv('"Bolt, M8",4\n'), [['Bolt, M8', '4']])
  })

  test('keeps line breaks inside quotes', () => {
    assert.deepEqual(parseCsv('"two\nlines",4\n'), [['two\nlines', '4']])
  })

  test('reads a doubled quote as one quote', () => {
    assert.deepEqual(parseCsv('"Rope ""Dolomit"", 9.8 mm",180.5\n'), [['Rope "Dolomit", 9.8 mm', '180.5']])
  })

  test('reads a field that is nothing but a quote', () => {
    assert.deepEqual(parseCsv('"""",x\n'), [['"', 'x']])
  })

  test('keeps empty fields at the end of a row', () => {
    assert.deepEqual(parseCsv('a,,\n'), [['a', '', '']])
  })

  test('uses another separator', () => {
    assert.deepEqual(parseCsv('a;b,c\n', { separator: ';' }), [['a', 'b,c']])
  })
})

describe('stringifyCsv', () => {
  test('quotes what needs it', () => {
    assert.equal(stringifyCsv([['a', 'b, c', 'd "e"', 'f\ng', 1]]), 'a,"b, c","d ""e""","f\ng",1\n')
  })

  test('is read back by parseCsv', () => {
    const rows = [
      ['plain', 'with, comma', 'with "quotes"'],
      ['', '"', 'two\nlines'],
    ]
    assert.deepEqual(parseCsv(stringifyCsv(rows)), rows)
  })
})
