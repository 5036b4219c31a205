import assert from 'node:assert/strict'
import test from 'node:test'
import { run } from '../src/main.js'

function called(...argv) {
  const said = { out: '', err: '' }
  const entries = [
    { id: 1, task: 'write', project: 'book', minutes: 90 },
    { id: 2, task: 'call', project: 'none', minutes: 5 },
    { id: 3, task: 'read', project: 'book', minutes: 120 },
  ]
  const code = run(argv, { entries, out: (text) => void (said.out += text), err: (text) => void (said.err += text) })
  return { code, ...said, entries }
}

test('list', () => {
  assert.equal(called('list', '-p', 'book').out, 'id  task   project  min\n 1  write  book      90\n 3  read   book     120\n\n210 minutes\n')
})

test('totals', () => {
  assert.equal(called('totals').out, 'Minutes by project\n\nproject  entries  min\nbook           2  210\nnone           1    5\n')
})

test('an unknown option', () => {
  assert.deepEqual([called('list', '--size').code, called('list', '--size').err], [2, 'unknown option "--size"\n'])
})
