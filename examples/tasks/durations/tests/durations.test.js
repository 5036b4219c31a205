import assert from 'node:assert/strict'
import test from 'node:test'
import { formatDuration, nextRuns, parseDuration } from '../src/index.js'

const good = {
  '500ms': 500, '1h500ms': 3_600_500, '1.5h': 5_400_000, '2d 4h': 187_200_000, '1W': 604_800_000,
  '1H30M': 5_400_000, '-1h30m': -5_400_000, '90': 90_000, '-1.5': -1500, '0': 0, '0s': 0, ' 10 m ': 600_000,
  '0.5ms': 1, '0.0004s0.4ms': 1, '2m30s': 150_000, '-2d 4h': -187_200_000,
}
for (const [text, ms] of Object.entries(good)) {
  test(`reads ${JSON.stringify(text)}`, () => assert.equal(parseDuration(text) + 0, ms))
}

const bad = ['', ' ', 'h', '1x', '1h2h', '30m1h', '1h-30m', '1h30', '--1h', '1h foo', 'foo 1h', '1..5h', '.', '1,5h', '5ms1s', '+1h']
for (const text of bad) {
  test(`refuses ${JSON.stringify(text)}`, () => {
    assert.throws(() => parseDuration(text), { name: 'RangeError', message: `not a duration: ${JSON.stringify(text)}` })
  })
}

test('refuses what is no string', () => {
  for (const value of [90, null, undefined, ['1h']]) assert.throws(() => parseDuration(value), TypeError)
})

test('what is formatted is read back', () => {
  for (const ms of [0, 1, 999, 1000, 5_400_000, -5_400_000, 604_800_001, -1, 90_061_001]) {
    assert.equal(parseDuration(formatDuration(ms)) + 0, ms)
  }
  assert.equal(formatDuration(0), '0s')
  assert.equal(formatDuration(-61_000), '-1m1s')
  for (const ms of [1.5, Number.NaN, Infinity, '5']) assert.throws(() => formatDuration(ms), RangeError)
})

test('plans', () => {
  assert.deepEqual(nextRuns({ every: '1m' }, 0, 3), [60_000, 120_000, 180_000])
  assert.throws(() => nextRuns({ every: '0s' }, 0, 1), RangeError)
  assert.throws(() => nextRuns({ every: '-1m' }, 0, 1), RangeError)
})
