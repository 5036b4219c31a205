import assert from 'node:assert/strict'
import test from 'node:test'
import { cached } from '../src/cached.js'
import { LruCache } from '../src/lru-cache.js'

function watched(options) {
  const told = []
  let time = 0
  const cache = new LruCache({ now: () => time, onEvict: (...all) => told.push(all), ...options })
  return { cache, told, at: (now) => void (time = now) }
}

test('maxSize must be a number above 0', () => {
  for (const maxSize of [0, -1, Number.NaN, '5', undefined]) assert.throws(() => new LruCache({ maxSize }), RangeError)
})

test('evicts what was used longest ago, once', () => {
  const { cache, told } = watched({ maxSize: 3 })
  cache.set('a', 1).set('b', 2).set('c', 3)
  cache.get('a')
  cache.peek('b')
  cache.set('d', 4)
  assert.deepEqual(told, [['b', 2, 'size']])
  assert.deepEqual(cache.keys(), ['d', 'a', 'c'])
})

test('setting a key again counts it once', () => {
  const { cache, told } = watched({ maxSize: 2 })
  cache.set('a', 1).set('a', 2).set('a', 3).set('b', 4)
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.size], [3, 4, 2])
  assert.deepEqual(told, [['a', 1, 'replaced'], ['a', 2, 'replaced']])
})

test('sizes', () => {
  const { cache, told } = watched({ maxSize: 10, sizeOf: (value) => value.length })
  cache.set('a', 'xxxx').set('b', 'xxxx').set('c', 'xxxxxx')
  assert.deepEqual([cache.size, cache.keys()], [10, ['c', 'b']])
  cache.set('b', 'xxxxxxxxxxx')
  assert.deepEqual([cache.keys(), told], [['c'], [['a', 'xxxx', 'size'], ['b', 'xxxx', 'replaced']]])
  cache.set('d', '')
  assert.equal(cache.size, 6)
  const wrong = new LruCache({ maxSize: 5, sizeOf: (value) => value })
  wrong.set('a', 1)
  for (const value of [-1, Number.NaN, '1']) assert.throws(() => wrong.set('a', value), RangeError)
  assert.equal(wrong.get('a'), 1)
})

test('entries get old from their last set on', () => {
  const { cache, told, at } = watched({ maxSize: 5, ttlMs: 10 })
  cache.set('a', 1)
  at(5)
  cache.set('b', 2)
  assert.equal(cache.get('a'), 1)
  at(10)
  assert.deepEqual([cache.size, cache.keys(), cache.has('a'), cache.peek('a')], [1, ['b'], false, undefined])
  assert.deepEqual(told, [['a', 1, 'ttl']])
  at(14)
  cache.set('b', 3)
  at(23)
  assert.equal(cache.get('b'), 3)
})

test('undefined is a value', () => {
  const { cache } = watched({ maxSize: 2 })
  cache.set('a', undefined)
  assert.deepEqual([cache.has('a'), cache.has('b')], [true, false])
  let calls = 0
  const nothing = cached(() => void (calls += 1))
  nothing('x')
  nothing('x')
  assert.equal(calls, 1)
})

test('delete and clear', () => {
  const { cache, told } = watched({ maxSize: 3 })
  cache.set('a', 1).set('b', 2)
  assert.deepEqual([cache.delete('a'), cache.delete('a')], [true, false])
  cache.clear()
  assert.deepEqual(told, [['a', 1, 'deleted'], ['b', 2, 'deleted']])
  cache.set('c', 1).set('d', 2).set('e', 3)
  assert.equal(cache.size, 3)
})

test('onEvict may use the cache', () => {
  const cache = new LruCache({ maxSize: 2, onEvict: (key) => key === 'a' && cache.set('saved', key) })
  cache.set('a', 1).set('b', 2).set('c', 3)
  assert.deepEqual(cache.keys(), ['saved', 'c'])
})

test('takes no longer with many entries', () => {
  const cache = new LruCache({ maxSize: 20_000 })
  const begun = performance.now()
  for (let at = 0; at < 60_000; at += 1) {
    cache.set(at, at)
    cache.get(at - 1000)
  }
  assert.ok(performance.now() - begun < 10_000)
  assert.equal(cache.size, 20_000)
})
