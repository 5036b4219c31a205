import assert from 'node:assert/strict'
import test from 'node:test'
import { importContacts, parseCsv, readCsvChunks, writeCsv } from '../src/index.js'

test('plain rows', () => assert.deepEqual(parseCsv('a,b\nc,d\n'), [['a', 'b'], ['c', 'd']]))

test('a separator in quotes', () => assert.deepEqual(parseCsv('"a,b",c'), [['a,b', 'c']]))

test('writes what it reads', () => {
  const rows = [['plain', 'with, comma', 'with "quotes"', 'two\nlines']]
  assert.deepEqual(parseCsv(writeCsv(rows)), rows)
})

test('chunks', async () => {
  assert.deepEqual(await Array.fromAsync(readCsvChunks(['a,b\nc', ',d\n'])), [['a', 'b'], ['c', 'd']])
})

test('contacts', () => {
  assert.deepEqual(importContacts('name,mail\nAda,ada@example.org\nBob,\n'), [
    { name: 'Ada', mail: 'ada@example.org' },
    { name: 'Bob' },
  ])
})
