import { describe, expect, it } from 'vitest'
import { manualClock } from '../providers/index.ts'
import type { ManualClock } from '../providers/index.ts'
import { memoryStore } from '../stores/index.ts'
import type { ReceiptResult, SessionState, Store, Unit } from '../stores/index.ts'
import { openSessions } from './open-sessions.ts'
import type { Sessions } from './open-sessions.ts'
import { bodyOf, sent, sessionParts } from './session.fixture.ts'
import type { SessionTurn } from './session-turn.ts'

const scope = { tenant: 'acme', session: 's', lane: 'lane' }
const anHourMs = 3_600_000
const result = (status: number): ReceiptResult => ({ status, rehydrations: 0, upstreamMs: 1, overheadMs: 1 })

interface World {
  readonly clock: ManualClock
  readonly store: Store
  readonly sessions: Sessions
}

function world(store: Store = memoryStore()): World {
  const clock = manualClock(Date.UTC(2026, 10, 21))
  return { clock, store, sessions: openSessions(sessionParts({ store, clock: () => clock.now() })) }
}

async function packed({ sessions }: World, results: number): Promise<SessionTurn> {
  const turn = await sent(sessions, 's', bodyOf(results))
  if (turn.kind === 'unpacked') throw turn.error
  return turn
}

const shownShort = ({ encoded }: SessionTurn): number =>
  encoded?.pack.entries.filter(({ handle }) => handle !== undefined).length ?? 0

describe('a request that was refused', () => {
  it('leaves nothing behind but its receipt, be it the first', async () => {
    const { store, sessions, ...rest } = world()
    const turn = await packed({ store, sessions, ...rest }, 1)
    expect((await store.read('sessions').get(scope))?.offeredTools).toEqual(['rehydrate'])
    await sessions.open(scope).refused(turn, result(429))
    expect(await store.read('sessions').get(scope)).toEqual({ version: 2, offeredTools: [], overlay: [] })
    expect((await store.read('receipts').get('acme', turn.requestId))?.result?.status).toBe(429)
  })

  it('takes back what it decided: the next one is packed as if it had not been', async () => {
    const [one, other] = [world(), world()]
    for (const { clock } of [one, other]) expect(clock.now()).toBeGreaterThan(0)
    await packed(one, 7)
    await packed(other, 7)
    await one.clock.advance(anHourMs)
    await other.clock.advance(anHourMs)
    const refused = await packed(one, 8)
    expect(shownShort(refused)).toBeGreaterThan(0)
    await one.sessions.open(scope).refused(refused, result(529))
    const [after, without] = [await packed(one, 9), await packed(other, 9)]
    expect(after.packId).toBe(without.packId)
    expect((await one.store.read('sessions').get(scope))?.ledger).toEqual(
      (await other.store.read('sessions').get(scope))?.ledger,
    )
  })

  it('takes back nothing where the session has moved on', async () => {
    const one = world()
    await packed(one, 7)
    await one.clock.advance(anHourMs)
    const refused = await packed(one, 8)
    await packed(one, 9)
    const before = await one.store.read('sessions').get(scope)
    await one.sessions.open(scope).refused(refused, result(500))
    expect(await one.store.read('sessions').get(scope)).toEqual(before)
    expect((await one.store.read('receipts').get('acme', refused.requestId))?.result?.status).toBe(500)
  })

  it('takes back nothing that another process has added since', async () => {
    const store = memoryStore()
    const [one, other] = [world(store), world(store)]
    const refused = await packed(one, 1)
    await packed(other, 2)
    const before = await store.read('sessions').get(scope)
    await one.sessions.open(scope).refused(refused, result(500))
    expect(await store.read('sessions').get(scope)).toEqual(before)
  })
})

describe('somebody else was faster', () => {
  it('decides again upon what they have left, so that both show the same', async () => {
    const store = memoryStore()
    const [one, other] = [world(store), world(store)]
    await packed(one, 7)
    await packed(other, 7)
    for (const { clock } of [one, other]) await clock.advance(anHourMs)
    const shortened = await packed(one, 8)
    const next = await packed(other, 9)
    const texts = ({ encoded }: SessionTurn): readonly string[] => encoded?.pack.entries.map(({ text }) => text) ?? []
    expect(shownShort(shortened)).toBeGreaterThan(0)
    expect(texts(next).slice(0, texts(shortened).length)).toEqual(texts(shortened))
    expect(next.input.ledger?.turns).toBe(3)
  })

  it('every time: the request goes as it came, and says so', async () => {
    const plain = memoryStore()
    const commit = async (work: Unit): Promise<void> => {
      const { version = 0 } = (await plain.read('sessions').get(work.scope)) ?? {}
      await plain.commit({
        scope: work.scope,
        nowMs: work.nowMs,
        expectVersion: version,
        writes: [{ table: 'sessions', offeredTools: ['another'] }],
      })
      await plain.commit(work)
    }
    const { sessions } = world({ ...plain, commit })
    expect(await sent(sessions, 's', bodyOf(1))).toMatchObject({ kind: 'unpacked', stage: 'conflict' })
    expect(await plain.read('receipts').list('acme', { limit: 9 })).toEqual([])
  })
})

it('only what is stored is pointed to: a request whose originals cannot be kept goes as it came', async () => {
  const plain = memoryStore()
  let isFull = false
  const commit = (work: Unit): Promise<void> =>
    isFull && work.writes.some(({ table }) => table === 'originals')
      ? Promise.reject(new Error('full'))
      : plain.commit(work)
  const one = world({ ...plain, commit })
  await packed(one, 7)
  const before = await plain.read('sessions').get(scope)
  await one.clock.advance(anHourMs)
  isFull = true
  expect(await sent(one.sessions, 's', bodyOf(8))).toMatchObject({ kind: 'unpacked', stage: 'store' })
  expect(await plain.read('sessions').get(scope)).toEqual(before)
  isFull = false
  const turn = await packed(one, 8)
  expect(shownShort(turn)).toBeGreaterThan(0)
  for (const { handle = '', itemId } of turn.encoded?.pack.entries ?? []) {
    if (handle === '') continue
    const item = turn.exchange.conversation.items.find(({ id }) => id === itemId)
    expect((await plain.read('originals').get(scope, handle))?.text).toBe(item?.text)
  }
})

it('a decision that is stored too late to be sent is taken back, and its receipt says so', async () => {
  const plain = memoryStore()
  let release: (() => void) | undefined
  let isSlow = false
  const commit = async (work: Unit): Promise<void> => {
    if (isSlow && work.writes.some(({ table }) => table === 'originals'))
      await new Promise<void>((done) => (release = done))
    await plain.commit(work)
  }
  const clock = manualClock(Date.UTC(2026, 10, 21))
  const parts = sessionParts({ store: { ...plain, commit }, clock: () => clock.now(), limits: { stageMs: 20 } })
  const one = { clock, store: plain, sessions: openSessions(parts) }
  await packed(one, 7)
  const before = await plain.read('sessions').get(scope)
  await clock.advance(anHourMs)
  isSlow = true
  expect(await sent(one.sessions, 's', bodyOf(8))).toMatchObject({ kind: 'unpacked', stage: 'store' })
  release?.()
  const withdrawn = async (): Promise<boolean> => (await plain.read('sessions').get(scope))?.version === 3
  while (!(await withdrawn())) await new Promise((done) => setTimeout(done, 1))
  expect({ ...(await plain.read('sessions').get(scope)), version: 1 }).toEqual(before)
  const [receipt] = await plain.read('receipts').list('acme', { limit: 1 })
  expect(receipt?.result).toMatchObject({ status: 0, skipped: ['store'] })
})

it('what could not be written is written with the next request', async () => {
  const plain = memoryStore()
  let isBroken = true
  const commit = (work: Unit): Promise<void> => (isBroken ? Promise.reject(new Error('down')) : plain.commit(work))
  const one = world({ ...plain, commit })
  await packed(one, 1)
  expect(await plain.read('sessions').get(scope)).toBeUndefined()
  isBroken = false
  const { encoded } = await packed(one, 2)
  expect(await plain.read('sessions').get(scope)).toMatchObject({
    version: 1,
    offeredTools: ['rehydrate'],
    ledger: encoded?.ledger,
  })
})

describe('decisions in a form that nobody reads any more', () => {
  it('are forgotten: the session goes on as one that has decided nothing', async () => {
    const known = world()
    const ledger = { schema: 'prehend.ledger/1', entries: [{ id: 'm1' }] } as unknown as NonNullable<
      SessionState['ledger']
    >
    await known.store.commit({
      scope,
      nowMs: 1,
      expectVersion: 0,
      writes: [{ table: 'sessions', ledger, offeredTools: ['rehydrate'] }],
    })
    const turn = await packed(known, 1)
    expect(turn.input.ledger).toBeUndefined()
    expect((await known.store.read('sessions').get(scope))?.ledger).toMatchObject({
      schema: 'prehend.ledger/2',
      turns: 1,
    })
    expect((await packed(known, 2)).input.ledger?.turns).toBe(1)
  })
})
