import assert from 'node:assert/strict'
import test from 'node:test'
import { loadConfig } from '../src/load-config.js'

const base = { name: 'base', values: { server: { host: 'localhost', port: 80 }, plugins: ['a'] } }

test('a later layer wins', () => {
  const { values } = loadConfig({ layers: [base, { name: 'mine', values: { server: { port: 8080 } } }] })
  assert.deepEqual(values.server, { host: 'localhost', port: 8080 })
})

test('arrays are replaced', () => {
  const { values } = loadConfig({ layers: [base, { name: 'mine', values: { plugins: ['b'] } }] })
  assert.deepEqual(values.plugins, ['b'])
})

test('the environment wins over all', () => {
  assert.equal(loadConfig({ layers: [base], environment: { APP_SERVER__PORT: '90' } }).values.server.port, 90)
})
