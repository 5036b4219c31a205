import { describe, expect, it } from 'vitest'
import { manualClock } from '../../providers/index.ts'
import { memoryStore } from '../../stores/index.ts'
import type { Receipt } from '../../stores/index.ts'
import { openSessions } from '../open-sessions.ts'
import { compileMemory, compilers } from '../compilers.ts'
import { shippedCatalogue } from '../../tokens/index.ts'
import { bodyOf, sent, sessionParts } from '../session.fixture.ts'
import type { SessionTurn } from '../session-turn.ts'
import { verifyReceipt } from '../verify-receipt.ts'
import { changeSteering } from './change-steering.ts'
import type { SteeringChange } from './change-steering.ts'

const anHourMs = 3_600_000

function world(windowTokens?: number) {
  const clock = manualClock(Date.UTC(2026, 10, 21))
  const store = memoryStore()
  const fits = windowTokens === undefined ? {} : { fittingTokens: () => windowTokens }
  const parts = sessionParts({ store, clock: () => clock.now(), ...fits })
  const sessions = openSessions(parts)
  const steer = (change: SteeringChange, session = 's', tenant = 'acme') =>
    changeSteering({ store, clock: () => clock.now() }, { tenant, session }, change)
  const pack = async (results: number, more: Record<string, unknown> = {}): Promise<SessionTurn> => {
    const turn = await sent(sessions, 's', bodyOf(results, 'Find the value.', more))
    if (turn.kind === 'unpacked') throw turn.error
    return turn
  }
  /** Results that are shown shorter by now. */
  const shortened = async (): Promise<SessionTurn> => {
    await pack(7)
    await clock.advance(anHourMs)
    return pack(8)
  }
  return { clock, store, pack, steer, shortened }
}

const entryOf = ({ encoded }: SessionTurn, id: string) => encoded?.pack.entries.find((entry) => entry.itemId === id)

const shortIn = ({ manifest }: SessionTurn): string =>
  manifest.decisions.find(({ rung, itemId }) => rung !== 'full' && rung !== 'lossless' && itemId.startsWith('result'))
    ?.itemId ?? ''

async function verified({ store }: ReturnType<typeof world>, { requestId, asked }: SessionTurn) {
  const receipt = (await store.read('receipts').get('acme', requestId)) as Receipt
  const compile = compilers(shippedCatalogue)
  const input = receipt.input
  if (input === undefined) throw new Error(`${asked.requestId} has no input`)
  return {
    receipt,
    ...verifyReceipt({ receipt, input, compile: (given) => compile(receipt.model ?? '', given, compileMemory()) }),
  }
}

describe('a pinned item', () => {
  it('that was shown shorter is whole in the next request, which begins an epoch and verifies', async () => {
    const one = world()
    const before = await one.shortened()
    const id = shortIn(before)
    expect(id).not.toBe('')
    await one.steer({ pin: [id] })
    const turn = await one.pack(9)
    expect(turn.manifest.decisions.find(({ itemId }) => itemId === id)).toMatchObject({
      rung: 'full',
      reason: 'pinned',
    })
    expect(turn.manifest.epoch).toMatchObject({ decision: 'begin', cause: 'pinned' })
    const { receipt, ...verification } = await verified(one, turn)
    expect(receipt.request?.pinned).toEqual([id])
    expect(verification).toEqual({ verified: true, differences: [] })
  })

  it('stays whole, and what was sent stays as it is, until it is unpinned', async () => {
    const one = world()
    const id = shortIn(await one.shortened())
    await one.steer({ pin: [id] })
    const first = await one.pack(9)
    const second = await one.pack(10)
    const texts = ({ encoded }: SessionTurn) => encoded?.pack.entries.map(({ text }) => text) ?? []
    expect(texts(second).slice(0, texts(first).length)).toEqual(texts(first))
    await one.clock.advance(anHourMs)
    expect(entryOf(await one.pack(11), id)?.rung).toBe('full')
    await one.steer({ unpin: [id] })
    await one.clock.advance(anHourMs)
    const last = await one.pack(12)
    expect(entryOf(last, id)?.rung).not.toBe('full')
    expect((await verified(one, last)).verified).toBe(true)
  })

  it('of a session is none of another tenant', async () => {
    const one = world()
    const id = shortIn(await one.shortened())
    await one.steer({ pin: [id] }, 's', 'other')
    expect(entryOf(await one.pack(9), id)?.rung).not.toBe('full')
  })
})

it('pins that do not fit into the window are passed over: the request is packed without them', async () => {
  const one = world(16_000)
  const pin = Array.from({ length: 12 }, (_, at) => `result:toolu_${at + 1}`)
  await one.steer({ pin })
  const turn = await one.pack(12)
  expect(turn.manifest.decisions.some(({ reason }) => reason === 'pinned')).toBe(false)
  const { receipt, ...verification } = await verified(one, turn)
  expect(receipt.request?.pinned).toBeUndefined()
  expect(verification.verified).toBe(true)
  const fitting = world(200_000)
  await fitting.steer({ pin })
  expect((await fitting.pack(12)).pinned).toEqual(pin)
})

describe('a steering note', () => {
  const text = 'Never touch the tests.'

  it('comes behind all that was said, keeps its place, and verifies', async () => {
    const one = world()
    const before = await one.pack(2)
    await one.steer({ note: text })
    const first = await one.pack(3)
    const second = await one.pack(4)
    const texts = ({ encoded }: SessionTurn) => encoded?.pack.entries.map((entry) => entry.text) ?? []
    expect(texts(first).slice(0, texts(before).length)).toEqual(texts(before))
    expect(texts(first).at(-1)).toContain(text)
    expect(texts(second).slice(0, texts(first).length)).toEqual(texts(first))
    expect(texts(second).filter((said) => said.includes(text))).toHaveLength(1)
    expect(second.encoded?.body.split(text)).toHaveLength(2)
    expect((await verified(one, first)).verified).toBe(true)
    expect((await verified(one, second)).verified).toBe(true)
  })

  it('that was removed is withdrawn once, and no longer said in a session that never read it', async () => {
    const one = world()
    await one.steer({ note: text })
    await one.pack(2)
    await one.steer({ note: null })
    const [first, second] = [await one.pack(3), await one.pack(4)]
    expect(first.encoded?.body).toContain('is withdrawn')
    expect(second.encoded?.body.split('is withdrawn')).toHaveLength(2)
    const other = world()
    await other.steer({ note: text })
    await other.steer({ note: null })
    expect((await other.pack(2)).encoded?.body).not.toContain('operator')
  })

  it('has room for a limited number of pins beside it', async () => {
    const one = world()
    const pin = Array.from({ length: 51 }, (_, at) => `result:${at}`)
    await expect(one.steer({ pin })).rejects.toThrow('at most 50')
    expect(await one.steer({ pin: ['a', 'a'], note: text })).toEqual({ note: text, pins: ['a'] })
  })
})
