import assert from 'node:assert/strict'
import test from 'node:test'
import { loadConfig } from '../src/load-config.js'

const layer = (name, values) => ({ name, values })
const valuesOf = (...layers) => loadConfig({ layers: layers.map((values, at) => layer(`l${at}`, values)) }).values
const withEnvironment = (values, environment) => loadConfig({ layers: [layer('base', values)], environment }).values

test('objects merge at any depth, everything else replaces', () => {
  assert.deepEqual(valuesOf({ a: { b: { c: 1, d: 2 } } }, { a: { b: { c: 3 }, e: [1] } }, { a: { e: [2] } }), {
    a: { b: { c: 3, d: 2 }, e: [2] },
  })
  assert.deepEqual(valuesOf({ a: [1] }, { a: { b: 1 } }, { a: 5 }), { a: 5 })
})

test('appending', () => {
  assert.deepEqual(valuesOf({ s: { p: ['a'] } }, { s: { 'p+': ['b'] } }, { s: { 'p+': ['c'], 'q+': ['d'] } }), {
    s: { p: ['a', 'b', 'c'], q: ['d'] },
  })
  assert.throws(() => valuesOf({ s: { p: 1 } }, { s: { 'p+': ['b'] } }), { name: 'TypeError', message: /s\.p\+/ })
  assert.throws(() => valuesOf({ s: { 'p+': 'b' } }), { name: 'TypeError', message: /s\.p\+/ })
})

test('null removes', () => {
  assert.deepEqual(valuesOf({ a: 1, b: { c: 2, d: [null] } }, { a: null, x: null, b: { c: null } }), { b: { d: [null] } })
  assert.deepEqual(valuesOf({ a: { b: null, c: 1 } }), { a: { c: 1 } })
})

test('prototypes are left alone', () => {
  const values = valuesOf(JSON.parse('{"a":{"__proto__":{"bad":1},"constructor":{"prototype":{"bad":1}},"b":1},"l":[{"__proto__":{"bad":1},"x":1}]}'))
  assert.deepEqual(Object.keys(values.a), ['b'])
  assert.deepEqual([{}.bad, values.a.bad, values.l[0].bad], [undefined, undefined, undefined])
  assert.deepEqual(Object.keys(values.l[0]), ['x'])
  assert.equal(withEnvironment({}, { APP___PROTO____BAD: '1' }).bad, undefined)
  assert.equal({}.bad, undefined)
})

test('nothing is shared with layers', () => {
  const below = { a: { list: [{ x: 1 }] } }
  const above = { a: { more: { y: 1 } } }
  const before = structuredClone([below, above])
  const values = valuesOf(below, above)
  values.a.list[0].x = 2
  values.a.more.y = 2
  values.a.z = 1
  assert.deepEqual([below, above], before)
})

test('variables', () => {
  assert.deepEqual(withEnvironment({}, { APP_SERVER__PORT: '8080', APP_LOG_LEVEL: 'info', OTHER: '1', APP_EMPTY: '' }), {
    server: { port: 8080 },
    log_level: 'info',
  })
  assert.deepEqual(withEnvironment({ logLevel: 'a', server: { 'max-size': 1 } }, { APP_LOG_LEVEL: 'b', APP_SERVER__MAX_SIZE: '2' }), {
    logLevel: 'b',
    server: { 'max-size': 2 },
  })
})

test('values of variables', () => {
  const read = (text) => withEnvironment({}, { APP_X: text }).x
  assert.deepEqual(['1.5e3', 'true', '[1,"a"]', '{"a":null}', '-0.5'].map(read), [1500, true, [1, 'a'], {}, -0.5])
  assert.deepEqual(['08', '1e999', '"quoted"', 'truE', '[1', '0x10', ' 5'].map(read), ['08', '1e999', '"quoted"', 'truE', '[1', '0x10', ' 5'])
  assert.deepEqual(withEnvironment({ x: 1, y: 2 }, { APP_X: 'null' }), { y: 2 })
})

test('a variable below something that is no object', () => {
  assert.throws(() => withEnvironment({ port: 1 }, { APP_PORT__X: '1' }), { name: 'TypeError', message: /APP_PORT__X/ })
  assert.throws(() => withEnvironment({ port: [1] }, { APP_PORT__X: '1' }), { name: 'TypeError', message: /APP_PORT__X/ })
})

test('origins', () => {
  const { originOf } = loadConfig({
    layers: [
      layer('base', { server: { host: 'a', port: 1 }, list: ['x'], gone: 1 }),
      layer('mine', { server: { host: 'b' }, 'list+': ['y'], gone: null }),
      layer('unused', {}),
    ],
    environment: { APP_SERVER__PORT: '2' },
  })
  assert.deepEqual(['server.host', 'server.port', 'gone', 'server.none', 'nothing'].map(originOf), [
    'mine',
    'environment',
    undefined,
    undefined,
    undefined,
  ])
  assert.deepEqual(originOf('server'), ['mine', 'environment'])
  assert.deepEqual(originOf('list'), ['base', 'mine'])
})
