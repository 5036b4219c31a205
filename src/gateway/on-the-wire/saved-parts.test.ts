import { afterEach, describe, expect, it } from 'vitest'
import type { SessionCost } from '../../stores/index.ts'
import {
  anHourMs,
  anthropicFixture,
  closeTestGateways,
  openaiFixture,
  post,
  testGateway,
} from './test-gateway.fixture.ts'
import type { Body, DialectFixture, TestGateway, TestGatewayOptions } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const prices = { input: 2, output: 8, cacheRead: 0.2, cacheWrite: 2.5, cacheWriteLong: 4 }
const models = Object.fromEntries(
  [openaiFixture, anthropicFixture].map(({ body }) => [String(body(1)['model']), { prices }]),
)

interface Sending {
  readonly dialect: DialectFixture
  readonly requests?: number
  /** Between two requests; the n-th of these after the n-th request, then the last of them. */
  readonly pausesMs?: readonly number[]
  /** What the client does to its bodies. */
  readonly own?: (body: Body) => Body
}

/** What a growing session has cost through a gateway of its own, as a list of sessions tells it, and the headers of its last reply. */
async function costThrough(
  config: TestGatewayOptions['config'],
  { dialect, requests = 16, pausesMs = [20_000], own = (body) => body }: Sending,
): Promise<{ readonly cost: SessionCost; readonly headers: Headers; readonly bodies: readonly string[] }> {
  const gateway = await testGateway({ script: () => 'done', config: { models, ...config } })
  let headers = new Headers()
  for (let results = 1; results <= requests; results += 1) {
    const reply = await post(gateway, dialect, own(dialect.body(results)))
    await reply.text()
    headers = reply.headers
    await gateway.clock.advance(pausesMs[results - 1] ?? pausesMs.at(-1) ?? 0)
  }
  const { data } = (await (await fetch(`${gateway.url}/v1/sessions`)).json()) as { data: { cost: SessionCost }[] }
  return { cost: data[0]!.cost, headers, bodies: gateway.provider.requests.map(({ body }) => body) }
}

/** How far a figure is from what was billed. */
function off(estimate: number, billed: number): number {
  return Math.abs(estimate / billed - 1)
}

const marker = { type: 'ephemeral' }
const markedSystem = [{ type: 'text', text: 'You are an agent. '.repeat(300), cache_control: marker }]

const clients: readonly (readonly [string, (body: Body) => Body])[] = [
  ['marks nothing', (body) => body],
  ['marks its system prompt alone', (body) => ({ ...body, system: markedSystem })],
  ['has the provider mark the end', (body) => ({ ...body, cache_control: marker })],
]

const pauses = [
  ['without a pause', [20_000]],
  ['with a late return now and then', [20_000, 20_000, 400_000, 20_000, 20_000, 20_000, 400_000, 20_000]],
  ['cold each time', [anHourMs]],
] as const

describe.each(clients)("a client of Claude's that %s", (name, own) => {
  it.each(pauses)('%s: both parts are what is billed without us, and observing tells them', async (_, pausesMs) => {
    const sending = { dialect: anthropicFixture, own, pausesMs }
    const observed = await costThrough({ mode: 'observe' }, sending)
    const packed = await costThrough({ promptCache: { keepalive: false } }, sending)
    expect(off(packed.cost.clientUsd, observed.cost.usd)).toBeLessThan(0.01)
    const byMarks = packed.cost.clientUsd - packed.cost.passThroughUsd
    const byMarksTold = Number(packed.headers.get('x-prehend-session-saved-by-marks-usd'))
    expect(Math.sign(byMarksTold)).toBe(Math.sign(byMarks))
    if (name.startsWith('has')) expect(byMarks).toBe(0)
    else if (pausesMs[0] === 20_000) expect(byMarks).toBeGreaterThan(0.4 * packed.cost.clientUsd)
    else expect(byMarks).toBeLessThan(0)
    const { usd, clientUsd, passThroughUsd, observedUsd, ifOnUsd, ifOnPassThroughUsd } = observed.cost
    expect([clientUsd, passThroughUsd, observedUsd]).toEqual([usd, usd, usd])
    expect(off(ifOnUsd, packed.cost.usd)).toBeLessThan(0.03)
    expect(off(ifOnPassThroughUsd, packed.cost.passThroughUsd)).toBeLessThan(0.03)
    const told = (what: string): number => Number(observed.headers.get(`x-prehend-session-${what}-usd`))
    expect(told('saved')).toBe(0)
    expect(told('would-save') / told('cost')).toBeCloseTo(1 - ifOnUsd / usd, 1)
  })
})

describe('a provider that caches unasked', () => {
  it.each(pauses)('%s: marks save nothing there, and observing tells what packing saves', async (_, pausesMs) => {
    const sending = { dialect: openaiFixture, pausesMs }
    const observed = await costThrough({ mode: 'observe' }, sending)
    const packed = await costThrough({}, sending)
    expect(packed.cost.clientUsd).toBe(packed.cost.passThroughUsd)
    expect(packed.headers.get('x-prehend-session-saved-by-marks-usd')).toBe('0.000000')
    expect(observed.cost.ifOnPassThroughUsd).toBe(observed.cost.usd)
    expect(off(observed.cost.ifOnUsd, packed.cost.usd)).toBeLessThan(0.03)
  })
})

it.each([anthropicFixture, openaiFixture])(
  'a restart in the middle of a session changes neither: $name',
  async (dialect) => {
    const results = Array.from({ length: 12 }, (_, index) => index + 1)
    const ask = async (gateway: TestGateway, which: readonly number[]): Promise<void> => {
      for (const each of which) {
        await (await post(gateway, dialect, dialect.body(each))).text()
        await gateway.clock.advance(20_000)
      }
    }
    for (const mode of ['on', 'observe'] as const) {
      const config = { models, mode }
      const whole = await testGateway({ script: () => 'done', config })
      await ask(whole, results)
      const first = await testGateway({ script: () => 'done', config })
      await ask(first, results.slice(0, 6))
      await first.close()
      const { store, provider, clock } = first
      const second = await testGateway({ script: () => 'done', config, store, provider, clock })
      await ask(second, results.slice(6))
      const [one] = await whole.store.read('results').sessions('default', { limit: 1 })
      const [other] = await store.read('results').sessions('default', { limit: 1 })
      expect(off(other!.cost.clientUsd, one!.cost.clientUsd)).toBeLessThan(0.001)
      if (mode === 'observe') expect(off(other!.cost.ifOnUsd, one!.cost.ifOnUsd)).toBeLessThan(0.01)
    }
  },
)
