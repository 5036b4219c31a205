import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { memoryStore } from '../../stores/index.ts'
import type { ToolUseChange } from '../../stores/index.ts'
import { nothingLearnt } from '../../tools/index.ts'
import { tenantTools } from './tenant-tools.ts'

const change: ToolUseChange = { name: 't', offered: 1, called: 1, failed: 0, sessions: 1, calledIn: 1 }

function opened() {
  const store = memoryStore()
  const now = { ms: 0 }
  const write = (uses: readonly ToolUseChange[], tenant = 'acme') =>
    store.commit({ scope: { tenant, session: '' }, nowMs: 1, writes: [{ table: 'tool-uses', uses }] })
  return { store, now, write, tools: tenantTools({ store, stopwatch: () => now.ms, stageMs: 1000 }) }
}

it('the first request of a tenant waits for what is known, and later ones ask once a minute in the background', async () => {
  const { now, write, tools } = opened()
  await write([{ ...change, queries: ['water the orchids'] }])
  expect(tools.learnt('acme')).toBe(nothingLearnt)
  await tools.load('acme')
  const first = tools.learnt('acme')
  expect(first.uses.get('t')).toMatchObject({ called: 1, calledIn: 1 })
  await write([change])
  now.ms = 59_000
  expect(tools.load('acme')).toBeUndefined()
  await delay(5)
  expect(tools.learnt('acme')).toBe(first)
  now.ms = 60_000
  expect(tools.load('acme')).toBeUndefined()
  await delay(5)
  const second = tools.learnt('acme')
  expect(second.uses.get('t')).toMatchObject({ called: 2, calledIn: 2 })
  // An index is remembered by it.
  expect(second.past).toBe(first.past)
  expect(tools.learnt('rival')).toBe(nothingLearnt)
})

it('what was committed counts at once, and its words in searches with the next reading', async () => {
  const { tools } = opened()
  await tools.load('acme')
  tools.add('acme', [{ ...change, queries: ['water the orchids'] }])
  expect(tools.learnt('acme').uses.get('t')).toMatchObject({ called: 1, queries: ['water the orchids'] })
  expect(tools.learnt('acme').past.size).toBe(0)
})

it('nothing is kept of a tenant that has gone, even where it was being read', async () => {
  const { write, tools } = opened()
  await write([change])
  const loading = tools.load('acme')
  tools.forget('acme')
  await loading
  expect(tools.learnt('acme')).toBe(nothingLearnt)
  tools.add('acme', [change])
  expect(tools.learnt('acme')).toBe(nothingLearnt)
})

it('a store that cannot be read is a tenant of whom nothing is known', async () => {
  const read = () => ({ all: () => Promise.reject(new Error('gone')) })
  const tools = tenantTools({ store: { read } as never, stopwatch: () => 0, stageMs: 1000 })
  await tools.load('acme')
  expect(tools.learnt('acme').uses.size).toBe(0)
})
