import { describe, expect, it } from 'vitest'
import { careful, thrifty } from '../compiler/index.ts'
import type { Policy } from '../core/index.ts'
import { codecFor } from '../codecs/index.ts'
import { memoryStore } from '../stores/index.ts'
import type { Store } from '../stores/index.ts'
import { shippedCatalogue } from '../tokens/index.ts'
import { compileMemory, compilers } from './compilers.ts'
import { openSessions } from './open-sessions.ts'
import { bodyOf, exchangeOf, sessionParts } from './session.fixture.ts'
import type { SessionTurn } from './session-turn.ts'
import { verifyReceipt } from './verify-receipt.ts'

const codec = codecFor('anthropic-messages')
const late: Policy = { ...thrifty, epochs: { ...thrifty.epochs, toolFrom: 4_000 } }

interface Body {
  readonly tools: readonly { readonly name: string }[]
  readonly messages: readonly unknown[]
}

const bodyIn = ({ encoded }: SessionTurn): Body => JSON.parse(encoded?.body ?? '{}') as Body
const offers = (turn: SessionTurn): boolean => bodyIn(turn).tools.some(({ name }) => name === 'rehydrate')
const messagesIn = (turn: SessionTurn): readonly string[] =>
  bodyIn(turn).messages.map((message) =>
    JSON.stringify(message).replaceAll(',"cache_control":{"type":"ephemeral"}', ''),
  )

/** The requests of an agent, ten seconds apart; a gateway that is opened again knows what is stored. */
function agent(policy: Policy, store: Store = memoryStore()) {
  let nowMs = Date.UTC(2026, 10, 21)
  const parts = sessionParts({ store, clock: () => nowMs })
  let sessions = openSessions(parts)
  let asked = 0
  return {
    parts,
    restart: () => (sessions = openSessions(parts)),
    async send(body: string, waitMs = 10_000): Promise<SessionTurn> {
      nowMs += waitMs
      const received = codec.decode({ body }, sessions.guess('acme', body))
      const session = sessions.open({ tenant: 'acme', session: 's', lane: 'lane' })
      const request = { codec, received, requestId: `r${(asked += 1)}`, mode: 'on', policy, rehydrates: true } as const
      const turn = await session.pack(request)
      if (turn.kind !== 'packed') throw turn.error
      return turn
    },
    session: () => sessions.open({ tenant: 'acme', session: 's', lane: 'lane' }),
  }
}

const anHourMs = 3_600_000
const short = (results: number): string => {
  const { messages, ...rest } = JSON.parse(bodyOf(1)) as { messages: unknown[] }
  const called = Array.from({ length: results }, (_, at) => exchangeOf(`${at + 1}`, `seat ${at} is free`))
  return JSON.stringify({ ...rest, messages: [messages[0], ...called.flat()] })
}

describe('the tool that follows handles', () => {
  it('stands in no request before one that hides something, and in all from there on', async () => {
    const { send } = agent(late)
    const turns: SessionTurn[] = []
    for (let results = 0; results < 14; results += 1)
      turns.push(await send(bodyOf(results), results === 10 ? anHourMs : 10_000))
    const first = turns.findIndex(offers)
    expect(first).toBeGreaterThan(1)
    for (const [at, turn] of turns.entries()) {
      const isHiding = turn.encoded!.pack.entries.some(({ rung }) => rung !== 'full' && rung !== 'lossless')
      expect(isHiding).toBe(at >= first)
      expect(offers(turn)).toBe(at >= first)
      expect(turn.manifest.offers).toBe(at === first ? true : undefined)
      expect(turn.encoded!.body.includes('rehydrate(')).toBe(at >= first)
      const before = turns[at - 1]
      if (before !== undefined && turn.manifest.epoch?.decision === 'hold')
        expect(messagesIn(turn).slice(0, messagesIn(before).length)).toEqual(messagesIn(before))
    }
  })

  it('is charged where it comes in: nothing is read again, and what pass-through reads is told', async () => {
    const { send } = agent(late)
    let results = 0
    let turn = await send(bodyOf(results))
    while (!offers(turn)) turn = await send(bodyOf((results += 1)))
    const { planned, manifest, input } = turn
    expect(manifest.offers).toBe(true)
    expect(planned?.isWarm).toBe(true)
    expect(planned?.passThrough.again).toBeGreaterThan(10_000)
    expect(planned).toMatchObject({ isRewritten: true, changed: { by: 'gateway', part: 'tools' } })
    expect(planned?.sent.again).toBe(0)
    expect(manifest.overheadTokens).toBe((input.budget.overheadTokens ?? 0) + (input.budget.offerTokens ?? NaN))
    const next = await send(bodyOf(results + 1))
    expect(next.input.budget.offerTokens).toBeUndefined()
    expect(next.input.budget.ownTokens).toBe(input.budget.offerTokens)
  })

  it('stays after a restart, and whoever was not offered it is not offered it by one', async () => {
    const { send, restart } = agent(late)
    for (let results = 0; results < 4; results += 1) expect(offers(await send(bodyOf(results)))).toBe(false)
    restart()
    expect(offers(await send(bodyOf(4)))).toBe(false)
    expect(offers(await send(bodyOf(9), anHourMs))).toBe(true)
    restart()
    const next = await send(bodyOf(10))
    expect(offers(next)).toBe(true)
    expect(next.manifest.epoch?.decision).toBe('hold')
  })

  it('is not put into a conversation that parted before it came', async () => {
    const { send } = agent(late)
    for (let results = 0; results < 5; results += 1) await send(bodyOf(results))
    const other = JSON.parse(bodyOf(4)) as { messages: unknown[] }
    const parted = JSON.stringify({
      ...other,
      messages: [...other.messages.slice(0, 5), ...exchangeOf('other', 'elsewhere').slice(0, 2)],
    })
    expect(offers(await send(parted))).toBe(false)
    expect(offers(await send(bodyOf(10), anHourMs))).toBe(true)
    expect(offers(await send(parted))).toBe(false)
  })

  it("is the client's where the client has one of that name, and then nothing is hidden", async () => {
    const { send } = agent(late)
    const own = [{ name: 'rehydrate', description: 'Mine.', input_schema: { type: 'object' } }]
    for (let results = 0; results < 10; results += 1) await send(bodyOf(results, 'Find it.', { tools: own }))
    const turn = await send(bodyOf(10, 'Find it.', { tools: own }), anHourMs)
    expect(bodyIn(turn).tools).toMatchObject(own)
    expect(bodyIn(turn).tools).toHaveLength(1)
    expect(turn.encoded!.pack.entries.every(({ rung }) => rung === 'full' || rung === 'lossless')).toBe(true)
  })

  it('stands at once in a long first request, and with every policy that does not say from when on', async () => {
    expect(offers(await agent(careful).send(bodyOf(0)))).toBe(false)
    expect(offers(await agent(careful).send(bodyOf(0, 'Find it. '.repeat(3_000))))).toBe(true)
    expect(offers(await agent(thrifty).send(bodyOf(0)))).toBe(true)
  })

  it('never comes to a session that has nothing to hide', async () => {
    const { send } = agent(careful)
    for (let results = 0; results < 15; results += 1)
      expect(offers(await send(short(results), results === 9 ? anHourMs : 10_000))).toBe(false)
  })

  it('is in the receipt of each request as it was sent', async () => {
    const store = memoryStore()
    const { send } = agent(late, store)
    const ids: string[] = []
    for (const results of [0, 1, 2, 9, 10])
      ids.push((await send(bodyOf(results), results === 9 ? anHourMs : 10_000)).requestId)
    const compile = compilers(shippedCatalogue)
    for (const id of ids) {
      const receipt = await store.read('receipts').get('acme', id)
      const again = verifyReceipt({
        receipt: receipt!,
        input: receipt!.input!,
        compile: (input) => compile(input.model ?? '', input, compileMemory()),
      })
      expect(again.differences).toEqual([])
    }
  })
})
