import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codecFor } from '../../codecs/index.ts'
import type { Policy } from '../../core/index.ts'
import { careful, thrifty } from '../../compiler/index.ts'
import { creditOf, memoryStore } from '../../stores/index.ts'
import { withReads } from '../../testing/index.ts'
import type { Store } from '../../stores/index.ts'
import { openSessions } from '../open-sessions.ts'
import type { Sessions } from '../open-sessions.ts'
import { savedBefore } from '../saved-before.fixture.ts'
import { sessionParts } from '../session.fixture.ts'
import type { SessionTurn } from '../session-turn.ts'

const codec = codecFor('anthropic-messages')
const model = 'claude-sonnet-4-6'

/** Lends as much as it can. */
const lending: Policy = {
  ...careful,
  epochs: {
    ...thrifty.epochs,
    toolFrom: 0,
    keepFull: 8,
    keepTokens: 0,
    patience: 0.1,
    reserveCalls: 0,
    payback: 1,
    debtShare: 0.2,
    justRead: { lineWorth: 0.05, around: 0, leastTokens: 40, leastShare: 0.1, payWithin: 100 },
  },
}

/** Long enough that the provider caches the first request with our tool and without it. */
const task = 'Find out why the build fails. '.repeat(300)

/** The results of a step: lines that may be trimmed once they were read, and words of prose behind them that would be written anew. */
interface Step {
  readonly lines: number
  readonly words: number
}

/** The body of a session's request. Lines in front of many words can only be trimmed on credit. */
function bodyOf(session: number, steps: readonly Step[]): string {
  const exchanges = steps.flatMap(({ words, lines }, at) => {
    const listed = Array.from(
      { length: lines },
      (_, line) => `src/m${session}/part${at}.ts:${line}: export const name${at}x${line} = ${line}`,
    )
    const prose = Array.from({ length: words }, (_, word) => `We think of word${at}x${word}.`)
    const results = [listed.join('\n'), ...(words > 0 ? [prose.join(' ')] : [])]
    const idOf = (result: number): string => `toolu_${session}_${at}_${result}`
    const calls = results.map((_, result) => {
      return { type: 'tool_use', id: idOf(result), name: 'read', input: { path: `f${at}/${result}` } }
    })
    const answers = results.map((content, result) => ({ type: 'tool_result', tool_use_id: idOf(result), content }))
    return [
      { role: 'assistant', content: calls },
      { role: 'user', content: answers },
    ]
  })
  const tools = [{ name: 'read', description: 'Reads.', input_schema: { type: 'object' } }]
  const messages = [{ role: 'user', content: task }, ...exchanges]
  return JSON.stringify({ model, max_tokens: 99, tools, system: 'You are an agent.', messages })
}

let requests = 0

async function packed(sessions: Sessions, session: number, steps: readonly Step[]): Promise<SessionTurn> {
  requests += 1
  const turn = await sessions.open({ tenant: 'acme', session: `s${session}`, lane: 'l' }).pack({
    codec,
    received: codec.decode({ body: bodyOf(session, steps) }),
    requestId: `account-${requests}`,
    mode: 'on',
    policy: lending,
    rehydrates: true,
  })
  if (turn.kind === 'unpacked') throw turn.error
  return turn
}

function end(sessions: Sessions, turn: SessionTurn, status: number): Promise<void> {
  const result = { status, rehydrations: 0, upstreamMs: 1, overheadMs: 1 }
  const own = sessions.open(turn.scope)
  return status < 400 ? own.answered(turn, result) : own.refused(turn, result)
}

/** What a request cost beyond sending everything and the definition of our tool. */
function overOf({ before, encoded, input, manifest }: SessionTurn): number {
  const was = before.ledger?.account ?? { passThrough: 0, actual: 0 }
  const is = encoded!.ledger!.account
  const { read, write } = input.prices!
  const { ownTokens = 0, offerTokens = 0 } = input.budget
  const isNew = before.ledger === undefined || manifest.offers === true
  const tool = isNew ? write * (ownTokens || offerTokens) : read * ownTokens
  return is.actual - was.actual - (is.passThrough - was.passThrough) - tool
}

const request = fc.record({
  session: fc.nat(4),
  process: fc.nat(2),
  step: fc.record({ words: fc.constantFrom(0, 0, 20, 60, 150), lines: fc.integer({ min: 3, max: 120 }) }),
  /** Whether it comes at the same time as the one before. */
  together: fc.constantFrom(true, true, false),
  ends: fc.constantFrom('answered', 'answered', 'answered', 'answered', 'refused', 'lost', 'unsent'),
  /** Whether its process is started anew before it. */
  restarts: fc.constantFrom(false, false, false, true),
})
type Request = typeof request extends fc.Arbitrary<infer Value> ? Value : never

/** Those that are under way at the same time; of a session one. */
function groupsOf(mix: readonly Request[]): readonly (readonly Request[])[] {
  const groups: Request[][] = []
  for (const one of mix) {
    const last = groups.at(-1)
    if (one.together && last && last.every(({ session }) => session !== one.session)) last.push(one)
    else groups.push([one])
  }
  return groups
}

/** The most that a tenant has ever paid beyond sending everything and our tool; the process ends before it hears of what is lost, and before it sends what is unsent. */
async function mostOver(mix: readonly Request[], store: Store, saved = 0): Promise<number> {
  const open = () => openSessions(sessionParts({ store }))
  const processes = [open(), open(), open()]
  const steps = new Map<number, readonly Step[]>()
  /** What a client sends again. */
  const again = new Map<number, readonly Step[]>()
  let [over, most] = [-saved, -Infinity]
  for (const group of groupsOf(mix)) {
    const turns = await Promise.all(
      group.map(async ({ session, process, step, restarts, ends }) => {
        if (restarts) processes[process] = open()
        const all = again.get(session) ?? [...(steps.get(session) ?? []), step]
        const sessions = processes[process]!
        const turn = await packed(sessions, session, all)
        if (ends === 'answered' || ends === 'lost') steps.set(session, all)
        if (ends === 'unsent' || ends === 'refused') again.set(session, all)
        else again.delete(session)
        return { turn, ends, sessions }
      }),
    )
    for (const { turn, ends, sessions } of turns) {
      if (ends === 'answered' || ends === 'lost') over += overOf(turn)
      if (ends === 'answered' || ends === 'refused') await end(sessions, turn, ends === 'refused' ? 400 : 200)
    }
    most = Math.max(most, over)
  }
  return most
}

const mixes = fc.array(request, { minLength: 10, maxLength: 60 })

const borrowing: readonly Step[] = [
  { lines: 60, words: 60 },
  { lines: 3, words: 0 },
]

/** A store whose tenant has saved so much, and what the process has asked first of each session. */
async function tenantWith(saved: number, sessions: readonly number[]) {
  const store = memoryStore()
  await savedBefore(store, 'acme', saved)
  const processes = sessions.map(() => openSessions(sessionParts({ store })))
  for (const [at, session] of sessions.entries())
    await end(processes[at]!, await packed(processes[at]!, session, borrowing.slice(0, 1)), 200)
  const credit = async (): Promise<number> => creditOf(await store.read('results').tenantAccount('acme'))
  return { store, processes, credit }
}

describe('the account of a tenant', () => {
  it('never lets the tenant pay more than sending everything, whatever its sessions, restarts and processes', async () => {
    await fc.assert(
      fc.asyncProperty(mixes, fc.integer({ min: 0, max: 2500 }), async (mix, saved) => {
        const { store } = await tenantWith(saved, [])
        expect(await mostOver(mix, store, saved)).toBeLessThanOrEqual(1e-3)
      }),
      { numRuns: 30 },
    )
  })

  it('keeps to that where one session asks while another finds the account changed', async () => {
    const turn = (session: number, words: Request['step']['words'], lines: number, restarts = false): Request => ({
      session,
      process: 0,
      step: { words, lines },
      together: true,
      ends: 'answered',
      restarts,
    })
    const mix = [
      turn(0, 60, 4),
      turn(1, 60, 4),
      turn(0, 0, 24),
      turn(2, 0, 3, true),
      turn(2, 0, 3),
      turn(2, 150, 9),
      turn(2, 0, 94),
      turn(1, 0, 3),
      turn(0, 20, 36),
    ]
    const { store } = await tenantWith(2179, [])
    expect(await mostOver(mix, store, 2179)).toBeLessThanOrEqual(1e-3)
  })

  it('is what keeps it from that: with sessions that borrow from nobody but themselves, some tenants pay more', async () => {
    const rich = { model, sessions: 0, requests: 0, passThrough: 0, saved: 1e12, lent: 0, fetched: 0 }
    const overs = await Promise.all(
      fc.sample(mixes, { numRuns: 20, seed: 3 }).map((mix) => {
        const plain = memoryStore()
        return mostOver(mix, withReads(plain, { results: { tenantAccount: async () => [rich] } }))
      }),
    )
    expect(Math.max(...overs)).toBeGreaterThan(100)
  })

  it('lets the first session of a tenant borrow as its policy allows, and the second only what that one saved', async () => {
    const sessions = openSessions(sessionParts({ store: memoryStore() }))
    const play = async (session: number): Promise<SessionTurn> => {
      await end(sessions, await packed(sessions, session, borrowing.slice(0, 1)), 200)
      return packed(sessions, session, borrowing)
    }
    const first = await play(1)
    expect(first.input.tenantCredit).toBeUndefined()
    expect(overOf(first)).toBeGreaterThan(100)
    await end(sessions, first, 200)
    const second = await play(2)
    expect(second.input.tenantCredit).toBeLessThan(-100)
    expect(overOf(second)).toBeLessThanOrEqual(1e-6)
  })

  it('lends before a request is sent, and takes the loan back where the provider refuses the request', async () => {
    const { processes, credit } = await tenantWith(1e6, [1])
    const before = await credit()
    const turn = await packed(processes[0]!, 1, borrowing)
    const lent = before - (await credit())
    expect(lent).toBeGreaterThan(100)
    expect(lent).toBeCloseTo(overOf(turn) + 0.1 * turn.input.budget.ownTokens!, 6)
    await end(processes[0]!, turn, 400)
    expect(await credit()).toBeCloseTo(before, 6)
  })

  it('lends to one of two sessions that ask at the same time where there is enough for one', async () => {
    const rich = await tenantWith(1e6, [1, 2])
    const loan = overOf(await packed(rich.processes[0]!, 1, borrowing))
    const poor = await tenantWith(1.5 * loan + 245, [1, 2])
    const turns = await Promise.all([1, 2].map((session, at) => packed(poor.processes[at]!, session, borrowing)))
    expect(turns.map((turn) => Math.round(overOf(turn))).toSorted((a, b) => a - b)).toEqual([0, Math.round(loan)])
    expect(await poor.credit()).toBeGreaterThanOrEqual(0)
  })

  it('earns once a request was answered, pays for fetches, and keeps what a session owed that never went on', async () => {
    const { store, processes, credit } = await tenantWith(1e6, [1])
    const [sessions] = processes
    const owing = await packed(sessions!, 1, borrowing)
    const before = await credit()
    const next = await packed(sessions!, 1, [...borrowing, { words: 0, lines: 3 }])
    expect(overOf(next)).toBeLessThan(-50)
    expect(await credit()).toBe(before)
    const usage = { inputTokens: 1000, outputTokens: 1, cacheReadTokens: 600, cacheWriteTokens: 300 }
    const result = { status: 200, rehydrations: 1, upstreamMs: 1, overheadMs: 1 }
    await sessions!.open(next.scope).answered(next, result, [usage])
    const fetched = 100 + 60 + 375
    expect(await credit()).toBeCloseTo(before - overOf(next) - 0.1 * next.input.budget.ownTokens! - fetched, 6)
    await end(sessions!, owing, 200)
    expect((await store.read('results').tenantAccount('acme')).find((row) => row.model === model)).toMatchObject({
      fetched,
      sessions: 1,
      requests: 3,
    })
  })

  it('tells later sessions how long others of their model went on, also after a restart', async () => {
    const { store, processes } = await tenantWith(0, [1, 2])
    const sessions = processes[0]!
    const go = async (session: number, steps: number): Promise<SessionTurn> => {
      const turn = await packed(
        openSessions(sessionParts({ store })),
        session,
        Array.from({ length: steps }, () => ({ words: 0, lines: 3 })),
      )
      await end(sessions, turn, 200)
      return turn
    }
    expect((await go(3, 1)).input.sessionLengths).toBeUndefined()
    for (const steps of [2, 3, 4]) await go(3, steps)
    expect((await go(3, 5)).input.sessionLengths).toBeUndefined()
    expect((await go(4, 1)).input.sessionLengths).toEqual({ sessions: 1, requests: 5 })
    await go(4, 2)
    const last = await go(4, 3)
    expect(last.input.sessionLengths).toEqual({ sessions: 1, requests: 5 })
    expect((await store.read('receipts').get('acme', last.requestId))?.input?.sessionLengths).toEqual({
      sessions: 1,
      requests: 5,
    })
  })
})
