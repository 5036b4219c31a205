import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import type { CompileInput, HiddenTurn, Item, Ledger, Manifest, Policy } from '../core/index.ts'
import { memoryStore } from './memory.ts'
import { sqliteStore } from './sqlite.ts'
import type { Commit, Receipt, Store } from './store.ts'
import { defaultRetention } from './store.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-store-'))
let files = 0
afterAll(() => rmSync(folder, { recursive: true }))

const drivers: { name: string; open: () => Store }[] = [
  { name: 'memory', open: () => memoryStore() },
  { name: 'sqlite', open: () => sqliteStore({ path: join(folder, `${(files += 1)}.db`) }) },
  {
    name: 'sqlite, durable to the disk',
    open: () => sqliteStore({ path: join(folder, `${(files += 1)}.db`), durability: 'power' }),
  },
]

const scope = { tenant: 'acme', session: 's1' }

function item(
  index: number,
  text = `text of item ${index}, long enough to be kept apart from the item it belongs to`,
): Item {
  return { id: `m${index}`, section: 'history', kind: 'text', role: 'user', text }
}

function ledger(turns: number): Ledger {
  const entries = Array.from({ length: turns }, (_, index) => ({
    key: `k${index}`,
    rung: 'line' as const,
    text: `line ${index}`,
    tokens: 2,
    originalTokens: 20,
    handle: `h${index}`,
  }))
  return {
    schema: 'prehend.ledger/1',
    epoch: 1,
    policyId: 'careful',
    entries,
    turns,
    lastRequestMs: turns * 1000,
    lastTokens: 10,
    lastOriginalTokens: 100,
    account: { passThrough: 5.5, actual: 4.25 },
    rehydrations: 0,
    regret: 0,
  }
}

function manifest(items: readonly Item[]): Manifest {
  return {
    schema: 'prehend.manifest/1',
    packHash: 'p',
    inputHash: 'i',
    policyId: 'careful',
    policyVersion: '1.0.0',
    tokenizerId: 'o200k',
    layout: 'messages',
    outcome: 'ok',
    windowTokens: 1000,
    reserveTokens: 100,
    overheadTokens: 3,
    originalTokens: 100,
    packTokens: 40,
    utilisation: 0.04,
    signals: { pressure: 0.1 },
    sections: [],
    decisions: items.map(({ id, section }) => ({
      itemId: id,
      section,
      contentHash: `c${id}`,
      rung: 'full',
      reason: 'fits',
      originalTokens: 10,
      tokens: 10,
    })),
    truncations: [],
  }
}

function input(items: readonly Item[], before?: Ledger): CompileInput {
  return {
    items,
    budget: { windowTokens: 1000 },
    policy: { id: 'careful', version: '1.0.0', shares: [] } as unknown as Policy,
    layout: 'messages',
    ...(before && { ledger: before }),
  }
}

function receipt(
  requestId: string,
  items: readonly Item[] = [item(0)],
  before?: Ledger,
): NonNullable<Commit['receipt']> {
  const packId = `pack-of-${requestId}`
  const model = 'gpt-5'
  return {
    requestId,
    packId,
    dialect: 'openai-chat',
    mode: 'on',
    model,
    manifest: manifest(items),
    input: input(items, before),
  }
}

function hidden(text: string): HiddenTurn {
  const round = {
    messages: ['{"role":"assistant"}'],
    visibleBlocks: 1,
    visibleTextLength: 2,
    visibleReasoningLength: 0,
  }
  const visible = { visibleText: text, visibleCallIds: ['call_1'], visibleBlocks: 1, assistantIndex: 0 }
  return { ...visible, rounds: [round], calls: [], results: [] }
}

describe.each(drivers)('store contract: $name', ({ open }) => {
  const using = async (work: (store: Store) => Promise<void>): Promise<void> => {
    const store = open()
    await work(store)
    await store.close()
  }

  it('knows nothing of a session that it never saw', () =>
    using(async (store) => {
      expect(await store.session(scope)).toBeUndefined()
      expect(await store.original(scope, 'h')).toBeUndefined()
      expect(await store.receipt('acme', 'r')).toBeUndefined()
      expect(await store.receipts('acme', { limit: 10 })).toEqual([])
    }))

  it('gives back the ledger, the offered tool and the hidden turns of a session', () =>
    using(async (store) => {
      await store.commit({ scope, nowMs: 1, ledger: ledger(2), toolOffered: true, hidden: [hidden('a')] })
      await store.commit({ scope, nowMs: 2, ledger: ledger(3), hidden: [hidden('b')] })
      expect(await store.session(scope)).toEqual({
        ledger: ledger(3),
        toolOffered: true,
        hidden: [hidden('a'), hidden('b')],
      })
    }))

  it('keeps the conversations of one session apart, and lists their receipts together', () =>
    using(async (store) => {
      const side = { ...scope, lane: 'side' }
      await store.commit({ scope, nowMs: 1, ledger: ledger(2), receipt: receipt('r1'), toolOffered: true })
      await store.commit({ scope: side, nowMs: 2, ledger: ledger(4), receipt: receipt('r2') })
      expect(await store.session(scope)).toEqual({ ledger: ledger(2), toolOffered: true, hidden: [] })
      expect(await store.session(side)).toEqual({ ledger: ledger(4), toolOffered: false, hidden: [] })
      const listed = await store.receipts('acme', { limit: 9, session: 's1' })
      expect(listed.map(({ requestId }) => requestId)).toEqual(['r2', 'r1'])
    }))

  it('replaces a ledger by a shorter or different one', () =>
    using(async (store) => {
      await store.commit({ scope, nowMs: 1, ledger: ledger(5) })
      const changed = { ...ledger(3), entries: ledger(3).entries.map((entry) => ({ ...entry, rung: 'full' as const })) }
      await store.commit({ scope, nowMs: 2, ledger: changed })
      expect((await store.session(scope))?.ledger).toEqual(changed)
      await store.commit({ scope, nowMs: 3, ledger: ledger(0) })
      expect((await store.session(scope))?.ledger).toEqual(ledger(0))
    }))

  it('gives a receipt back whole, by request id and by pack id', () =>
    using(async (store) => {
      const items = [item(0), item(1, 'short'), item(2)]
      const written = receipt('r1', items, ledger(2))
      await store.commit({ scope, nowMs: 7, ledger: ledger(3), receipt: written })
      const whole: Receipt = { ...written, session: 's1', createdMs: 7 }
      expect(await store.receipt('acme', 'r1')).toEqual(whole)
      expect(await store.receipt('acme', 'pack-of-r1')).toEqual(whole)
    }))

  it('every receipt of a growing session stays as it was written', () =>
    using(async (store) => {
      const items = Array.from({ length: 12 }, (_, index) => item(index))
      for (let turn = 1; turn <= 12; turn += 1) {
        const written = receipt(`r${turn}`, items.slice(0, turn), ledger(turn - 1))
        await store.commit({ scope, nowMs: turn, ledger: ledger(turn), receipt: written })
      }
      await store.commit({ scope, nowMs: 13, receipt: receipt('trimmed', items.slice(6), ledger(2)) })
      for (let turn = 1; turn <= 12; turn += 1) {
        const found = await store.receipt('acme', `r${turn}`)
        expect(found?.input?.items).toEqual(items.slice(0, turn))
        expect(found?.input?.ledger).toEqual(ledger(turn - 1))
        expect(found?.manifest).toEqual(manifest(items.slice(0, turn)))
      }
      expect((await store.receipt('acme', 'trimmed'))?.input?.items).toEqual(items.slice(6))
    }))

  it('a receipt without content has none', () =>
    using(async (store) => {
      const { input: _input, ...bare } = receipt('r1')
      await store.commit({ scope, nowMs: 1, receipt: bare })
      expect(await store.receipt('acme', 'r1')).not.toHaveProperty('input')
    }))

  it('adds how an exchange ended', () =>
    using(async (store) => {
      await store.commit({ scope, nowMs: 1, receipt: receipt('r1') })
      const usage = { inputTokens: 10, outputTokens: 2, cacheReadTokens: 8 }
      const result = { status: 200, usage, rehydrations: 1, upstreamMs: 20, overheadMs: 1 }
      await store.commit({ scope, nowMs: 2, result: { requestId: 'r1', result } })
      expect((await store.receipt('acme', 'r1'))?.result).toEqual(result)
      expect((await store.receipts('acme', { limit: 1 }))[0]?.result).toEqual(result)
    }))

  it('lists receipts newest first, page by page, and by session', () =>
    using(async (store) => {
      for (let turn = 1; turn <= 5; turn += 1) {
        const session = turn % 2 === 0 ? 'even' : 'odd'
        await store.commit({ scope: { tenant: 'acme', session }, nowMs: turn, receipt: receipt(`r${turn}`) })
      }
      const first = await store.receipts('acme', { limit: 2 })
      expect(first.map(({ requestId }) => requestId)).toEqual(['r5', 'r4'])
      expect(first[0]).toMatchObject({
        session: 'odd',
        outcome: 'ok',
        originalTokens: 100,
        packTokens: 40,
        model: 'gpt-5',
      })
      const rest = await store.receipts('acme', { limit: 9, before: first[1]?.sequence ?? 0 })
      expect(rest.map(({ requestId }) => requestId)).toEqual(['r3', 'r2', 'r1'])
      const even = await store.receipts('acme', { limit: 9, session: 'even' })
      expect(even.map(({ requestId }) => requestId)).toEqual(['r4', 'r2'])
    }))

  it('N-37: an original comes back as it was, whatever characters it has', () =>
    using(async (store) => {
      const odd = ['', '\0', 'a\0b', '\uD800', 'x\uDFFFy', '"\\ud800"', '🦉', '\r\n\t', '\uFFFD', '\uFEFF']
      const generated = fc.sample(fc.string({ unit: 'binary', maxLength: 200 }), { numRuns: 100, seed: 7 })
      const texts = [...odd, ...generated]
      const originals = texts.map((text, index) => ({ handle: `h${index}`, text }))
      await store.commit({ scope, nowMs: 1, originals })
      for (const original of originals) expect(await store.original(scope, original.handle)).toEqual(original)
    }))

  it('lone surrogates in items survive in receipts', () =>
    using(async (store) => {
      const items = [item(0, `${'long '.repeat(40)}\uD800`), item(1, `${'long '.repeat(40)}\uDBFF`)]
      await store.commit({ scope, nowMs: 1, receipt: receipt('r1', items) })
      expect((await store.receipt('acme', 'r1'))?.input?.items).toEqual(items)
    }))

  it('an original keeps what is known about it', () =>
    using(async (store) => {
      const original = { handle: 'h', text: 'body', kind: 'tool-result' as const, toolName: 'read' }
      await store.commit({ scope, nowMs: 1, originals: [original] })
      expect(await store.original(scope, 'h')).toEqual(original)
    }))

  it('a handle resolves in its session first, then in the tenant, never in another tenant', () =>
    using(async (store) => {
      const other = { tenant: 'acme', session: 's2' }
      const stranger = { tenant: 'umbrella', session: 's1' }
      await store.commit({ scope, nowMs: 1, originals: [{ handle: 'h', text: 'of s1' }] })
      await store.commit({ scope: other, nowMs: 2, originals: [{ handle: 'h', text: 'of s2' }] })
      expect((await store.original(scope, 'h'))?.text).toBe('of s1')
      expect((await store.original(other, 'h'))?.text).toBe('of s2')
      expect(await store.original({ tenant: 'acme', session: 'new' }, 'h')).toBeDefined()
      expect(await store.original(stranger, 'h')).toBeUndefined()
    }))

  it('N-37: a handle never comes to stand for another text', () =>
    using(async (store) => {
      await store.commit({ scope, nowMs: 1, originals: [{ handle: 'h', text: 'first' }] })
      await store.commit({ scope, nowMs: 2, originals: [{ handle: 'h', text: 'first' }] })
      const second = store.commit({ scope, nowMs: 3, ledger: ledger(1), originals: [{ handle: 'h', text: 'second' }] })
      await expect(second).rejects.toMatchObject({ code: 'store-failed' })
      expect((await store.original(scope, 'h'))?.text).toBe('first')
      expect((await store.session(scope))?.ledger).toBeUndefined()
    }))

  it('receipts and sessions of one tenant do not exist for another', () =>
    using(async (store) => {
      await store.commit({ scope, nowMs: 1, ledger: ledger(1), receipt: receipt('r1') })
      expect(await store.receipt('umbrella', 'r1')).toBeUndefined()
      expect(await store.receipt('umbrella', 'pack-of-r1')).toBeUndefined()
      expect(await store.receipts('umbrella', { limit: 10 })).toEqual([])
      expect(await store.session({ tenant: 'umbrella', session: 's1' })).toBeUndefined()
    }))

  it('a commit that fails writes nothing, and spares those beside it', () =>
    using(async (store) => {
      await store.commit({ scope, nowMs: 1, ledger: ledger(1), receipt: receipt('r1') })
      const good = { tenant: 'acme', session: 'good' }
      const outcomes = await Promise.allSettled([
        store.commit({ scope: good, nowMs: 2, ledger: ledger(2), receipt: receipt('r2') }),
        store.commit({
          scope,
          nowMs: 2,
          ledger: ledger(9),
          toolOffered: true,
          originals: [{ handle: 'lost', text: 'lost' }],
          receipt: receipt('r1'),
        }),
        store.commit({ scope: good, nowMs: 3, ledger: ledger(3) }),
      ])
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect(outcomes[1]).toMatchObject({ reason: { code: 'store-failed' } })
      expect(await store.session(scope)).toEqual({ ledger: ledger(1), toolOffered: false, hidden: [] })
      expect(await store.original(scope, 'lost')).toBeUndefined()
      expect((await store.session(good))?.ledger).toEqual(ledger(3))
      await store.commit({ scope, nowMs: 4, ledger: ledger(2), receipt: receipt('r4', [item(0)], ledger(1)) })
      expect((await store.receipt('acme', 'r4'))?.input?.ledger).toEqual(ledger(1))
    }))

  it('reads see the commits made before them, awaited or not', () =>
    using(async (store) => {
      const writing = store.commit({ scope, nowMs: 1, ledger: ledger(1) })
      expect((await store.session(scope))?.ledger).toEqual(ledger(1))
      await writing
    }))

  it('closing writes what still waits', async () => {
    const store = open()
    const writing = store.commit({ scope, nowMs: 1, ledger: ledger(1) })
    await store.close()
    await expect(writing).resolves.toBeUndefined()
  })

  it('keeps values; the first claim stands', () =>
    using(async (store) => {
      expect(await store.value('secret')).toBeUndefined()
      expect(await store.claimValue('secret', 'one')).toBe('one')
      expect(await store.claimValue('secret', 'two')).toBe('one')
      await store.setValue('secret', 'three')
      expect(await store.value('secret')).toBe('three')
    }))

  it('prunes idle sessions with all they own, and nothing of the others', () =>
    using(async (store) => {
      const idle = { tenant: 'acme', session: 'idle' }
      const shared = { handle: 'shared', text: 'the same text in both sessions, kept once and needed twice' }
      const own = { handle: 'own', text: 'only here' }
      await store.commit({ scope: idle, nowMs: 1, ledger: ledger(1), originals: [shared, own], receipt: receipt('r1') })
      await store.commit({ scope, nowMs: 100, ledger: ledger(1), originals: [shared], receipt: receipt('r2') })
      const pruned = await store.prune(150, { ...defaultRetention, sessionIdleMs: 100 })
      expect(pruned).toEqual({ sessions: 1, receipts: 1 })
      expect(await store.session(idle)).toBeUndefined()
      expect(await store.original(idle, 'own')).toBeUndefined()
      expect(await store.original(scope, 'shared')).toEqual(shared)
      expect((await store.receipt('acme', 'r2'))?.input?.items).toEqual([item(0)])
      await store.commit({ scope: idle, nowMs: 160, ledger: ledger(2), receipt: receipt('r3') })
      expect((await store.session(idle))?.ledger).toEqual(ledger(2))
    }))

  it('prunes receipts by age and by number, never the originals of a living session', () =>
    using(async (store) => {
      const kept = { handle: 'h', text: 'kept' }
      for (let turn = 1; turn <= 6; turn += 1) {
        await store.commit({ scope, nowMs: turn * 10, receipt: receipt(`r${turn}`), originals: [kept] })
      }
      const aged = await store.prune(70, { ...defaultRetention, receiptAgeMs: 55 })
      expect(aged).toEqual({ sessions: 0, receipts: 1 })
      await store.prune(70, { ...defaultRetention, maxReceipts: 2 })
      const left = await store.receipts('acme', { limit: 10 })
      expect(left.map(({ requestId }) => requestId)).toEqual(['r6', 'r5'])
      expect(await store.original(scope, 'h')).toEqual(kept)
    }))

  it('answers a ping', () => using(async (store) => expect(await store.ping()).toBeUndefined()))
})
