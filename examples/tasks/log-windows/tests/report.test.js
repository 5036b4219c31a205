import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { parseLine } from '../src/parse-line.js'
import { report } from '../src/report.js'
import { windows } from '../src/windows.js'

const log = readFileSync(new URL('../data/access.log', import.meta.url), 'utf8')
const line = ({ address = '10.0.0.1', time = '2025-03-01T10:00:00.000Z', asked = 'GET / HTTP/1.1', rest = '200 512 12ms' } = {}) =>
  `${address} [${time}] "${asked}" ${rest}`

test('lines', () => {
  const ten = Date.UTC(2025, 2, 1, 10)
  assert.equal(parseLine(line({ address: '2001:db8::1' })).address, '2001:db8::1')
  assert.equal(parseLine(line({ time: '2025-03-01T11:00:00+01:00' })).timeMs, ten)
  assert.equal(parseLine(line({ time: '2025-03-01T04:30:00.250-05:30' })).timeMs, ten + 250)
  assert.equal(parseLine(line({ time: '2025-03-01T10:00:00Z' })).timeMs, ten)
  assert.equal(parseLine(line({ asked: 'PUT /a HTTP/2' })).path, '/a')
  assert.equal(parseLine(line({ asked: 'GET /s?q=\\"green tea\\"\\\\ HTTP/1.1' })).path, '/s?q="green tea"\\')
  assert.equal(parseLine(line({ rest: '304 - 1ms' })).size, 0)
  assert.equal(parseLine(line({ rest: '200 5 0.012s' })).durationMs, 12)
  assert.equal(parseLine(line({ rest: '200 5 1.5s' })).durationMs, 1500)
})

test('lines of another form', () => {
  const bad = ['', '-- log rotated --', line({ time: 'yesterday' }), line({ time: '2025-03-01T10:00:00' }), line({ asked: 'GET /' }), line({ asked: 'GET / FTP/1' }), line({ rest: '200 5 12' }), line({ rest: '200 5 12ms extra' }), line({ rest: '200 x 12ms' }), ` ${line()}`]
  for (const each of bad) assert.equal(parseLine(each), undefined, each)
})

const at = (timeMs, more = {}) => ({ timeMs, status: 200, size: 10, durationMs: 1, ...more })

test('an entry belongs to one window', () => {
  const counts = (...times) => windows(times.map((time) => at(time)), 10).map(({ startMs, count }) => [startMs, count])
  assert.deepEqual(counts(0, 9, 10, 20), [[0, 2], [10, 1], [20, 1]])
  assert.deepEqual(counts(10), [[10, 1]])
  assert.deepEqual(counts(35, 12), [[10, 1], [20, 0], [30, 1]])
  assert.deepEqual(counts(-1, 0), [[-10, 1], [0, 1]])
  assert.deepEqual(windows([], 10), [])
})

test('figures of a window', () => {
  const entries = Array.from({ length: 20 }, (_, index) => at(0, { durationMs: 100 - index, status: index < 2 ? 500 : 404 }))
  const order = entries.map(({ durationMs }) => durationMs)
  const [first, second] = windows([...entries, at(25)], 10)
  assert.deepEqual(first, { startMs: 0, count: 20, errors: 2, bytes: 200, slowestMs: 100, p95Ms: 99 })
  assert.deepEqual(second, { startMs: 10, count: 0, errors: 0, bytes: 0, slowestMs: null, p95Ms: null })
  assert.deepEqual(entries.map(({ durationMs }) => durationMs), order)
  assert.equal(windows([at(0, { durationMs: 9 }), at(0, { durationMs: 10 })], 10)[0].p95Ms, 10)
})

test('the log', () => {
  const found = report(log)
  assert.equal(found.lines, 620)
  assert.equal(found.counted, 616)
  assert.deepEqual(found.unreadable.map(({ line: number }) => number), [151, 352, 451, 600])
  assert.equal(found.unreadable[0].text, '-- log rotated --')
  for (const windowMs of [250, 1000, 60_000]) {
    assert.equal(report(log, { windowMs }).windows.reduce((sum, { count }) => sum + count, 0), 616)
  }
})

test('line ends', () => {
  const { lines, counted, unreadable } = report(`${line()}\r\n\r\n${line()}\nx\n`)
  assert.deepEqual([lines, counted, unreadable], [4, 2, [{ line: 4, text: 'x' }]])
  assert.deepEqual(report(''), { lines: 0, counted: 0, unreadable: [], windows: [] })
})
