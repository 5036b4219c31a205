import assert from 'node:assert/strict'
import test from 'node:test'
import { importContacts, parseCsv, readCsvChunks, writeCsv } from '../src/index.js'

const cases = [
  ['', []],
  ['a', [['a']]],
  ['a\r\nb\r\n', [['a'], ['b']]],
  ['a,\n', [['a', '']]],
  ['\n', [['']]],
  ['a\n\nb', [['a'], [''], ['b']]],
  ['\uFEFFa,b', [['a', 'b']]],
  ['"a ""b"""', [['a "b"']]],
  ['"""",""', [['"', '']]],
  ['"x\r\ny",z', [['x\r\ny', 'z']]],
  ['5" pipe,b"c"', [['5" pipe', 'b"c"']]],
  [' "a"', [[' "a"']]],
  ['"a"\n"b"', [['a'], ['b']]],
]
for (const [text, rows] of cases) {
  test(`reads ${JSON.stringify(text)}`, () => assert.deepEqual(parseCsv(text), rows))
}

test('other separators', () => {
  assert.deepEqual(parseCsv('a;"b;c";d,e', { separator: ';' }), [['a', 'b;c', 'd,e']])
  assert.equal(writeCsv([['a;b', 'c,d']], { separator: ';' }), '"a;b";c,d\r\n')
})

test('errors name the line on which the field begins', () => {
  assert.throws(() => parseCsv('a\n"b\nc'), { name: 'SyntaxError', message: /in line 2$/ })
  assert.throws(() => parseCsv('"a\nb"\n"c" d'), { name: 'SyntaxError', message: /in line 3$/ })
  assert.throws(() => parseCsv('"a"b'), { name: 'SyntaxError', message: /in line 1$/ })
})

test('writes', () => {
  assert.equal(writeCsv([]), '')
  assert.equal(writeCsv([[''], ['a', null, undefined, 1.5]]), '""\r\na,,,1.5\r\n')
  assert.equal(writeCsv([[' a', 'b ', 'c"d"e', 'f\rg']]), '" a","b ","c""d""e","f\rg"\r\n')
})

const rows = [['', ''], [''], ['a"b""c', 'x\r\ny\n', ','], [' s ', '\uFEFF', '"']]

test('what is written is read back', () => assert.deepEqual(parseCsv(writeCsv(rows)), rows))

test('chunks of any size give the same rows', async () => {
  const text = writeCsv(rows)
  for (const size of [1, 2, 3, 7, 1000]) {
    const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size))
    assert.deepEqual(await Array.fromAsync(readCsvChunks(chunks)), rows, `chunks of ${size}`)
  }
  assert.deepEqual(await Array.fromAsync(readCsvChunks([])), [])
})

test('rows come as soon as they are whole', async () => {
  let asked = 0
  async function* source() {
    for (const chunk of ['a,b\nc', ',d\n', 'e']) {
      asked += 1
      yield chunk
    }
  }
  const reader = readCsvChunks(source())
  assert.deepEqual((await reader.next()).value, ['a', 'b'])
  assert.equal(asked, 1)
})

test('contacts', () => {
  assert.deepEqual(importContacts('name,note\r\nAda,"one\ntwo"\r\n,\r\n'), [{ name: 'Ada', note: 'one\ntwo' }])
})
