import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatTable } from '../src/format-table.js'

test('columns are as wide as their widest cell', () => {
  const text = formatTable([{ title: 'a' }, { title: 'b', align: 'right' }], [
    ['long cell', '1'],
    ['x', '23'],
  ])
  assert.equal(text, 'a           b\n---------  --\nlong cell   1\nx          23\n')
})

test('the footer counts too', () => {
  const text = formatTable([{ title: 'a' }, { title: 'b', align: 'right' }], [['x', '1']], { footer: ['total', '1000'] })
  assert.equal(text, 'a         b\n-----  ----\nx         1\n-----  ----\ntotal  1000\n')
})

test('a missing cell is empty', () => {
  assert.equal(formatTable([{ title: 'a' }, { title: 'b' }], [['x']]), 'a  b\n-  -\nx\n')
})
