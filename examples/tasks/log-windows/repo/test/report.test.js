import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { parseLine } from '../src/parse-line.js'
import { report } from '../src/report.js'

const log = readFileSync(new URL('../data/access.log', import.meta.url), 'utf8')

test('a line', () => {
  assert.deepEqual(parseLine('10.0.0.1 [2025-03-01T10:00:00.000Z] "GET /cart HTTP/1.1" 200 512 12ms'), {
    address: '10.0.0.1',
    timeMs: Date.UTC(2025, 2, 1, 10),
    method: 'GET',
    path: '/cart',
    status: 200,
    size: 512,
    durationMs: 12,
  })
})

test('every line is counted or unreadable', () => {
  const { lines, counted, unreadable } = report(log)
  const skipped = log.split('\n').filter((line) => parseLine(line) === undefined)
  console.log(`not read:\n${skipped.join('\n')}`)
  assert.equal(counted + unreadable.length, lines)
})

test('windows add up', () => {
  for (const windowMs of [5000, 10_000, 60_000, 300_000]) {
    const { counted, windows } = report(log, { windowMs })
    for (const { startMs, count, errors } of windows) console.log(new Date(startMs).toISOString(), count, errors)
    assert.equal(windows.reduce((sum, { count }) => sum + count, 0), counted)
  }
})
