import assert from 'node:assert/strict'
import test from 'node:test'
import { cached } from '../src/cached.js'
import { LruCache } from '../src/lru-cache.js'

test('holds as many as it may', () => {
  const cache = new LruCache({ maxSize: 2 }).set('a', 1).set('b', 2)
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.size], [1, 2, 2])
})

test('what was read last stays', () => {
  const cache = new LruCache({ maxSize: 2 }).set('a', 1).set('b', 2)
  cache.get('a')
  cache.set('c', 3)
  assert.deepEqual(cache.keys(), ['c', 'a'])
})

test('entries get old', () => {
  let time = 0
  const cache = new LruCache({ maxSize: 2, ttlMs: 10, now: () => time }).set('a', 1)
  time = 9
  assert.equal(cache.get('a'), 1)
  time = 10
  assert.equal(cache.get('a'), undefined)
})

test('a result is computed once', () => {
  let calls = 0
  const twice = cached((number) => ((calls += 1), 2 * number))
  assert.deepEqual([twice(4), twice(4), calls], [8, 8, 1])
})
