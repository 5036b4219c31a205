import { expect, it } from 'vitest'
import { defaultRetention, memoryStore } from '../../stores/index.ts'
import type { Store } from '../../stores/index.ts'
import { vectorKey } from './kept-vectors.ts'
import { toolMeanings } from './tool-meanings.ts'

const tool = (name: string) => ({ name, description: `Does ${name}.` })
const many = (count: number) => Array.from({ length: count }, (_, at) => tool(`tool_${at}`))

function opened({
  store = memoryStore(),
  dimensions = 2,
}: { readonly store?: Store; readonly dimensions?: number } = {}) {
  const calls: (readonly string[])[] = []
  const counts = new Map<string, number>()
  let release: (() => void) | undefined
  let held: Promise<void> | undefined
  const state = {
    calls,
    counts,
    nowMs: 0,
    fails: false,
    hold(): void {
      held = new Promise((done) => (release = done))
    },
    release: () => release?.(),
  }
  const embed = async (texts: readonly string[]) => {
    calls.push(texts)
    await held
    if (state.fails) throw new Error('no')
    return texts.map((text) => new Float32Array(dimensions).fill(text.length))
  }
  const told: string[] = []
  const meanings = toolMeanings({
    embedderOf: () => ({ embedder: { embed }, model: 'tiny', keeps: true }),
    waitMs: 500,
    timeoutMs: 5_000,
    stopwatch: () => state.nowMs,
    kept: { store, clock: () => state.nowMs },
    watch: {
      counted: (of, result, count) => counts.set(`${of} ${result}`, (counts.get(`${of} ${result}`) ?? 0) + count),
      failed: (tenant) => told.push(`failed ${tenant}`),
      back: (tenant) => told.push(`back ${tenant}`),
    },
  })
  return { ...state, state, meanings, told }
}

const settled = () => new Promise((done) => void setTimeout(done, 20))

it('texts of tools are embedded once, 32 at a time, also those that come in meanwhile', async () => {
  const { meanings, calls, state } = opened()
  state.hold()
  meanings.prepare('acme', many(40))
  meanings.prepare('acme', many(50))
  await settled()
  meanings.prepare('acme', [tool('later')])
  state.release()
  await settled()
  expect(calls.map(({ length }) => length)).toEqual([32, 19])
  expect(await meanings.of('acme', { query: 'tool', tools: [tool('later'), ...many(50)] })).toBeDefined()
  expect(await meanings.of('acme', { query: '?!', tools: many(50) })).toBeUndefined()
})

it('a catalogue that is too large is found by words, and nothing of it is embedded', async () => {
  const { meanings, calls } = opened()
  expect(await meanings.of('acme', { query: 'tool', tools: many(4_001) })).toBeUndefined()
  await settled()
  expect(calls).toEqual([])
})

it('after a failure nothing is asked for half a minute; then it works again, and both are told once', async () => {
  const { meanings, calls, told, state, counts } = opened()
  state.fails = true
  for (const at of [1, 2, 3]) {
    meanings.prepare('acme', many(at))
    await settled()
  }
  expect([calls.length, told, counts.get('tool paused')]).toEqual([1, ['failed acme'], 5])
  state.nowMs = 30_001
  meanings.prepare('acme', many(1))
  await settled()
  expect(told).toEqual(['failed acme'])
  state.fails = false
  state.nowMs = 60_002
  meanings.prepare('acme', many(1))
  await settled()
  expect(told).toEqual(['failed acme', 'back acme'])
})

it('tenants that were not used longest make room, and are read from the store again', async () => {
  const { meanings, calls, counts } = opened({ dimensions: 16_000 })
  for (const tenant of ['a', 'b', 'c']) {
    meanings.prepare(tenant, many(400))
    while ((counts.get('tool made') ?? 0) < 400 * (tenant.codePointAt(0)! - 96)) await settled()
  }
  await settled()
  const before = calls.length
  const sizes = async (tenant: string) =>
    (await meanings.of(tenant, { query: 'tool', tools: many(400) }))?.vector.length
  expect(await sizes('c')).toBe(16_000)
  expect(await sizes('a')).toBeUndefined()
  while ((counts.get('tool kept') ?? 0) < 400) await settled()
  expect(await sizes('a')).toBe(16_000)
  expect(calls.slice(before)).toEqual([['tool'], ['tool']])
})

it('nothing is kept of a tenant that has gone while its vectors were being made', async () => {
  const store = memoryStore()
  const { meanings, state } = opened({ store })
  state.hold()
  meanings.prepare('acme', many(2))
  await settled()
  meanings.forget('acme')
  state.release()
  await settled()
  const next = opened({ store })
  next.meanings.prepare('acme', many(2))
  await settled()
  expect(next.calls).toHaveLength(1)
})

it('what a store holds that is no vector is made anew', async () => {
  const store = memoryStore()
  const write = { table: 'extension-values', key: vectorKey('tiny', 'a. Does a.'), value: 'AAA' } as const
  await store.commit({ scope: { tenant: 'acme', session: '', lane: '' }, nowMs: 0, writes: [write] })
  const { meanings, calls } = opened({ store })
  meanings.prepare('acme', [tool('a')])
  await settled()
  expect(calls).toEqual([['a. Does a.']])
})

it('a vector that is used outlives the time after which a store drops what nothing has written', async () => {
  const store = memoryStore()
  const first = opened({ store })
  first.meanings.prepare('acme', [tool('a')])
  await settled()
  const day = opened({ store })
  day.state.nowMs = 86_400_001
  day.meanings.prepare('acme', [tool('a')])
  await settled()
  expect(day.calls).toEqual([])
  const dayMs = 86_400_000
  await store.prune(3 * dayMs, { ...defaultRetention, sessionIdleMs: 2.5 * dayMs })
  const later = opened({ store })
  later.meanings.prepare('acme', [tool('a')])
  await settled()
  expect(later.calls).toEqual([])
})
