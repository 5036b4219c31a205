import assert from 'node:assert/strict'
import test from 'node:test'
import { formatDuration, nextRuns, parseDuration } from '../src/index.js'

test('one part', () => {
  assert.equal(parseDuration('2h'), 7_200_000)
  assert.equal(parseDuration('45 s'), 45_000)
})

test('a number alone is seconds', () => assert.equal(parseDuration('90'), 90_000))

test('milliseconds behind another unit', () => assert.equal(parseDuration('1h500ms'), 3_600_500))

test('decimals', () => assert.equal(parseDuration('1.5h'), 5_400_000))

test('formats', () => assert.equal(formatDuration(5_400_000), '1h30m'))

test('a plan runs for the first time after one interval', () => {
  assert.deepEqual(nextRuns({ every: '2m30s' }, 1000, 2), [151_000, 301_000])
})
