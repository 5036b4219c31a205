import { afterEach, describe, expect, it } from 'vitest'
import type { Usage } from '../../core/index.ts'
import type { AnswerPart, SimulatedRequest, Script, ScriptEntry } from '../../providers/index.ts'
import { noAccount, savingsOf } from '../../stores/index.ts'
import type { Receipt, SessionSummary } from '../../stores/index.ts'
import {
  anHourMs,
  anthropicFixture,
  closeTestGateways,
  openaiFixture,
  post,
  testGateway,
} from './test-gateway.fixture.ts'
import type { DialectFixture, TestGateway, TestGatewayOptions } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const dialects = [openaiFixture, anthropicFixture]
const prices = { input: 2, output: 8, cacheRead: 0.2, cacheWrite: 2.5 }
const models = Object.fromEntries(dialects.map(({ body }) => [String(body(1)['model']), { prices }]))

function dollars({ inputTokens, outputTokens, cacheReadTokens: read = 0, cacheWriteTokens: write = 0 }: Usage): number {
  return ((inputTokens - read - write) * 2 + read * 0.2 + write * 2.5 + outputTokens * 8) / 1e6
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function pricedGateway({ config, script = () => 'done', ...more }: TestGatewayOptions = {}): Promise<TestGateway> {
  return testGateway({ ...more, script, config: { models, ...config } })
}

async function asks(gateway: TestGateway, dialect: DialectFixture, results: number, more = {}): Promise<Headers> {
  const reply = await post(gateway, dialect, dialect.body(results, more))
  await reply.text()
  return reply.headers
}

const billed = ({ provider }: TestGateway): number[] => provider.requests.map(({ usage }) => dollars(usage!))

/** Oldest first. */
async function receiptsOf({ url }: TestGateway): Promise<readonly Receipt[]> {
  const { data } = (await (await fetch(`${url}/v1/packs?limit=1000`)).json()) as { data: readonly Receipt[] }
  return data.toReversed()
}

async function sessionOf({ url }: TestGateway): Promise<SessionSummary['cost']> {
  const { data } = (await (await fetch(`${url}/v1/sessions`)).json()) as { data: readonly SessionSummary[] }
  expect(data).toHaveLength(1)
  return data[0]!.cost
}

async function totalsOf(gateway: TestGateway): Promise<SessionSummary['cost']> {
  const costs = (await receiptsOf(gateway)).map(({ result }) => result?.cost)
  return {
    requests: costs.length,
    priced: costs.filter((cost) => cost?.usd !== undefined).length,
    inputTokens: sum(costs.map((cost) => cost?.inputTokens ?? 0)),
    passThroughTokens: sum(costs.map((cost) => cost?.passThroughTokens ?? 0)),
    usd: expect.closeTo(sum(costs.map((cost) => cost?.usd ?? 0)), 10) as number,
    passThroughUsd: expect.closeTo(sum(costs.map((cost) => cost?.passThroughUsd ?? 0)), 10) as number,
    clientUsd: expect.closeTo(sum(costs.map((cost) => cost?.clientUsd ?? 0)), 10) as number,
    observedUsd: expect.closeTo(sum(costs.map((cost) => (cost?.ifOn ? (cost.usd ?? 0) : 0))), 10) as number,
    ifOnUsd: expect.closeTo(sum(costs.map((cost) => cost?.ifOn?.usd ?? 0)), 10) as number,
    ifOnPassThroughUsd: expect.closeTo(sum(costs.map((cost) => cost?.ifOn?.passThroughUsd ?? 0)), 10) as number,
  }
}

describe.each(dialects)('what a session has cost: $name', (dialect) => {
  it.each([
    ['without a pause', 20_000, 24],
    ['with a cold cache each time', anHourMs, 12],
  ])('%s: all that was billed, against what sending everything is billed', async (_, pauseMs, requests) => {
    const gateway = await pricedGateway()
    const everything = await pricedGateway({ config: { rehydrate: false } })
    // Earlier sessions have saved something that this one may borrow.
    const tenantAccount = { ...noAccount('earlier'), saved: 1e6 }
    await gateway.store.commit({
      scope: { tenant: 'default', session: 'earlier' },
      nowMs: 0,
      writes: [{ table: 'results', account: tenantAccount }],
    })
    let headers = new Headers()
    for (const one of [gateway, everything]) {
      for (let results = 1; results <= requests; results += 1) {
        headers = await asks(one, dialect, results)
        await one.clock.advance(pauseMs)
      }
      expect(headers.has('x-prehend-session-cost-usd')).toBe(true)
    }
    const costs = (await receiptsOf(gateway)).map(({ result }) => result!.cost!)
    for (const [index, spent] of billed(gateway).entries()) expect(costs[index]?.usd).toBeCloseTo(spent, 11)
    const session = await sessionOf(gateway)
    expect(session).toEqual(await totalsOf(gateway))
    expect(session.usd).toBeCloseTo(sum(billed(gateway)), 10)
    const truth = sum(billed(everything))
    expect(Math.abs(session.passThroughUsd / truth - 1)).toBeLessThan(0.003)
    expect(session.usd / session.passThroughUsd).toBeLessThan(0.95)
    for (const [index, all] of billed(everything).entries()) {
      expect(Math.abs(costs[index]!.passThroughUsd! / all - 1)).toBeLessThan(0.03)
    }
  })

  it('is the same after a restart, in the headers of the next request', async () => {
    const first = await pricedGateway()
    for (const results of [1, 2]) await asks(first, dialect, results)
    const before = await sessionOf(first)
    const { savedUsd, byMarksUsd } = savingsOf(before)
    const expected = [before.usd, savedUsd, byMarksUsd].map((usd) => usd.toFixed(6))
    const told = (headers: Headers): unknown[] =>
      ['cost', 'saved', 'saved-by-marks'].map((what) => headers.get(`x-prehend-session-${what}-usd`))
    await first.close()
    const { store, provider, clock } = first
    const second = await pricedGateway({ store, provider, clock })
    expect(told(await asks(second, dialect, 3))).toEqual(expected)
    expect(await sessionOf(second)).toEqual(await totalsOf(second))
    expect((await sessionOf(second)).requests).toBe(3)
  })

  it('is more than sending everything where our tool was all that came of it', async () => {
    const gateway = await pricedGateway()
    const headers = await asks(gateway, dialect, 1)
    const [receipt] = await receiptsOf(gateway)
    const tool = -Number(headers.get('x-prehend-saved-tokens'))
    expect(tool).toBeGreaterThan(30)
    const { inputTokens, passThroughTokens, usd = 0, passThroughUsd = 0, clientUsd = 0 } = receipt!.result!.cost!
    expect(passThroughTokens - inputTokens).toBeLessThan(-0.66 * tool)
    const everything = await pricedGateway({ config: { rehydrate: false } })
    await asks(everything, dialect, 1)
    expect(passThroughUsd).toBeCloseTo(billed(everything)[0]!, 10)
    expect(passThroughUsd).toBeLessThan(usd)
    const saved = (await asks(gateway, dialect, 1)).get('x-prehend-session-saved-usd')
    expect(saved).toBe((clientUsd - usd).toFixed(6))
    expect(saved).toMatch(/^-0\.00\d+$/)
  })

  const fetches: AnswerPart = { type: 'tool-call', name: 'rehydrate', arguments: { handle: 'deadbeef' } }
  const twice: Script = (_: SimulatedRequest, turn: number): ScriptEntry => (turn < 2 ? { parts: [fetches] } : 'found')

  it.each([false, true])('has the hidden rounds in it, and their prompts: streamed %s', async (stream) => {
    const more = {
      ...(stream && { stream, ...(dialect === openaiFixture && { stream_options: { include_usage: true } }) }),
    }
    const gateway = await pricedGateway({ script: twice })
    await asks(gateway, dialect, 1, more)
    expect(gateway.provider.requests).toHaveLength(3)
    const everything = await pricedGateway({ script: () => 'found', config: { rehydrate: false } })
    await asks(everything, dialect, 1, more)
    const [receipt] = await receiptsOf(gateway)
    const { cost, usage } = receipt!.result!
    expect(cost?.usd).toBeCloseTo(sum(billed(gateway)), 11)
    expect(cost?.inputTokens).toBe(usage?.inputTokens)
    expect(cost?.passThroughUsd).toBeCloseTo(sum(billed(everything)), 10)
    expect(await sessionOf(gateway)).toEqual(await totalsOf(gateway))
    // What was hidden stands in the next prompt, too, and is ours.
    await asks(gateway, dialect, 2)
    await asks(everything, dialect, 2)
    const later = (await receiptsOf(gateway))[1]!.result!.cost!
    expect(later.passThroughUsd! / billed(everything)[1]!).toBeCloseTo(1, 1)
  })

  it('counts hidden rounds in what the request saved, where the reply is no stream', async () => {
    const bare = await pricedGateway({ script: () => 'found' })
    const without = Number((await asks(bare, dialect, 1)).get('x-prehend-saved-tokens'))
    const gateway = await pricedGateway({ script: twice })
    const saved = Number((await asks(gateway, dialect, 1)).get('x-prehend-saved-tokens'))
    const [receipt] = await receiptsOf(gateway)
    const { inputTokens } = receipt!.result!.usage!
    const [first] = await receiptsOf(bare)
    expect(without).toBeLessThan(0)
    expect(saved).toBe(without - (inputTokens - first!.result!.usage!.inputTokens))
    expect(saved).toBeLessThan(3 * without)
  })

  it('is told in tokens only where nobody knows the price', async () => {
    const model = 'some-model'
    const family = dialect === openaiFixture ? 'openai' : 'anthropic'
    const gateway = await pricedGateway({ config: { models: { [model]: { family } } } })
    await asks(gateway, dialect, 1, { model })
    const headers = await asks(gateway, dialect, 2, { model })
    expect([...headers.keys()].filter((name) => name.endsWith('-usd'))).toEqual([])
    const session = await sessionOf(gateway)
    expect(session).toMatchObject({ requests: 2, priced: 0, usd: 0, passThroughUsd: 0 })
    expect(session.passThroughTokens).toBeLessThan(session.inputTokens)
    for (const { result } of await receiptsOf(gateway)) {
      expect(Object.keys(result!.cost!)).toEqual(['inputTokens', 'passThroughTokens'])
    }
  })

  it('is what sending everything costs in mode observe', async () => {
    const gateway = await pricedGateway({ config: { mode: 'observe' } })
    for (const results of [7, 8, 9]) {
      await asks(gateway, dialect, results)
      await gateway.clock.advance(anHourMs)
    }
    const { usd, passThroughUsd, inputTokens, passThroughTokens } = await sessionOf(gateway)
    expect([passThroughUsd, passThroughTokens]).toEqual([usd, inputTokens])
    expect(usd).toBeCloseTo(sum(billed(gateway)), 10)
  })

  it('is nothing for what the provider has refused', async () => {
    const gateway = await pricedGateway({ script: [{ fault: { kind: 'error', status: 429 } }, 'done'] })
    await asks(gateway, dialect, 1)
    expect((await sessionOf(gateway)).requests).toBe(0)
    await asks(gateway, dialect, 1)
    expect(await sessionOf(gateway)).toMatchObject({ requests: 1, priced: 1 })
  })

  it('is counted by family, and logged', async () => {
    const gateway = await pricedGateway()
    await asks(gateway, dialect, 1)
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
    const counted = (kind: string): number => {
      const family = dialect === openaiFixture ? 'openai' : 'anthropic'
      return Number(
        new RegExp(`^prehend_cost_usd_total\\{kind="${kind}",family="${family}"\\} (.*)$`, 'm').exec(metrics)?.[1],
      )
    }
    const { usd, passThroughUsd } = await sessionOf(gateway)
    expect(counted('spent')).toBeCloseTo(usd, 11)
    expect(counted('pass-through')).toBeCloseTo(passThroughUsd, 11)
    expect(gateway.log.find(({ event }) => event === 'request')?.fields).toMatchObject({ costUsd: usd, passThroughUsd })
  })
})

it('an exchange whose usage was not reported is no guess: it is counted, and has no price', async () => {
  const gateway = await pricedGateway()
  await asks(gateway, openaiFixture, 1, { stream: true })
  expect((await receiptsOf(gateway))[0]!.result).not.toHaveProperty('cost')
  expect(await sessionOf(gateway)).toMatchObject({ requests: 1, priced: 0, inputTokens: 0 })
})

it('lanes of one session are paid together, those of another tenant are not seen', async () => {
  const tokens = [
    { token: 'token-of-a', tenant: 'a' },
    { token: 'token-of-b', tenant: 'b' },
  ]
  const gateway = await pricedGateway({ config: { tokens } })
  const asked = async (token: string, system: string): Promise<void> => {
    const body = openaiFixture.body(1)
    const messages = [{ role: 'system', content: system }, ...body.messages.slice(1)]
    const headers = { 'authorization': `Bearer ${token}`, 'x-session-id': 'mine' }
    await (await post(gateway, openaiFixture, { ...body, messages }, headers)).text()
  }
  for (const system of ['one', 'two']) await asked('token-of-a', system)
  await asked('token-of-b', 'one')
  const [a] = await gateway.store.read('results').sessions('a', { limit: 5 })
  const [b] = await gateway.store.read('results').sessions('b', { limit: 5 })
  expect([a?.cost.requests, b?.cost.requests]).toEqual([2, 1])
  expect(a?.cost.usd).toBeCloseTo(sum(billed(gateway).slice(0, 2)), 10)
})
