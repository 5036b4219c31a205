import { afterEach, describe, expect, it } from 'vitest'
import { claimValue, memoryStore } from '../../stores/index.ts'
import type { Receipt } from '../../stores/index.ts'
import { priceOf, shippedCatalogue } from '../../tokens/index.ts'
import {
  anthropicFixture,
  closeTestGateways,
  longResult,
  openaiFixture,
  post,
  testGateway,
} from './test-gateway.fixture.ts'
import type { DialectFixture, TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const minute = 60_000

/** An agent that is away for so many minutes before each further request. */
async function agent(
  gateway: TestGateway,
  silences: readonly number[],
  {
    dialect = anthropicFixture,
    more = {},
    results = 1,
  }: { dialect?: DialectFixture; more?: Record<string, unknown>; results?: number } = {},
): Promise<void> {
  for (const [index, silence] of [0, ...silences].entries()) {
    await gateway.clock.advance(silence * minute)
    await (await post(gateway, dialect, dialect.body(index + results, more))).text()
  }
}

interface Seen {
  readonly atMinute: number
  readonly maxTokens: unknown
  readonly read: number
}

function seenBy({ provider }: TestGateway): readonly Seen[] {
  const [first] = provider.requests
  return provider.requests.map(({ startMs, json, usage }) => ({
    atMinute: (startMs - first!.startMs) / minute,
    maxTokens: json?.['max_tokens'],
    read: usage?.cacheReadTokens ?? 0,
  }))
}

const refreshes = (seen: readonly Seen[]): readonly number[] =>
  seen.filter(({ maxTokens }) => maxTokens === 0).map(({ atMinute }) => atMinute)

async function receipts({ store }: TestGateway): Promise<readonly Receipt[]> {
  const all = await store.read('receipts').list('default', { limit: 100 })
  return Promise.all(
    all.toReversed().map(async ({ requestId }) => (await store.read('receipts').get('default', requestId))!),
  )
}

interface Kind {
  readonly policy: string
  /** Of each result, and of the first. */
  readonly lines: number
  readonly first: number
  /** Minutes after every third request. */
  readonly pause: number
}

const kinds = ['careful', 'thrifty'].flatMap((policy) =>
  [
    [400, 400],
    [100, 1500],
    [10, 1500],
  ].flatMap(([lines = 0, first = 0]) => [7, 10, 20].map((pause): Kind => ({ policy, lines, first, pause }))),
)

/** What the provider bills for fifteen requests and all that comes after them. */
async function spentOn({ policy, lines, first, pause }: Kind, enabled: boolean): Promise<number> {
  const store = memoryStore()
  // With and without, handles are the same: a token more or less decides whether a rewrite pays.
  await claimValue(store, 'handle-secret', 'of this test')
  const gateway = await testGateway({ store, config: { policy, promptCache: { keepalive: enabled } } })
  for (let requests = 1; requests <= 15; requests += 1) {
    await gateway.clock.advance((requests % 3 === 0 ? pause : 0.3) * minute)
    const body = anthropicFixture.body(requests)
    const results = body.messages.flatMap((message) => resultsOf(message))
    for (const [index, result] of results.entries()) result.content = longResult(index + 1, index === 0 ? first : lines)
    await (await post(gateway, anthropicFixture, body)).text()
  }
  await gateway.clock.advance(600 * minute)
  const info = shippedCatalogue.info('claude-sonnet-4-6')
  return gateway.provider.requests.reduce((total, { usage }) => total + (usage ? priceOf(usage, info)! : 0), 0)
}

function resultsOf(message: unknown): { content: unknown }[] {
  const { role, content } = message as { role: string; content: unknown }
  return role === 'user' && Array.isArray(content) ? (content as { content: unknown }[]) : []
}

describe('the prompt of a silent session', () => {
  it('G-018: is read again before it expires, where its agent keeps coming back late', async () => {
    const gateway = await testGateway()
    await agent(gateway, [10, 10, 10])
    const seen = seenBy(gateway)
    // Two late returns have taught what the third one is waited for.
    expect(refreshes(seen)).toEqual([24, 28])
    const [, , third, , , last] = seen
    expect([third!.read, seen.at(-1) === last]).toEqual([0, true])
    expect(last!.read).toBeGreaterThan(5000)
  })

  it('what it costs is counted when it is spent, once, and whether its agent comes back or not', async () => {
    const gateway = await testGateway()
    await agent(gateway, [10, 10, 10])
    const before = await receipts(gateway)
    const [counted] = await gateway.store.read('results').statistics('default', {})
    expect([counted!.figures.refreshes, counted!.figures.requests]).toEqual([2, 4])
    const paid = before.reduce((total, { result }) => total + result!.cost!.usd!, 0)
    expect(counted!.figures.usd).toBeCloseTo(paid, 9)
    await gateway.clock.advance(600 * minute)
    const spent = gateway.provider.requests.reduce(
      (total, { usage }) => total + (usage ? priceOf(usage, shippedCatalogue.info('claude-sonnet-4-6'))! : 0),
      0,
    )
    const [after] = await gateway.store.read('results').statistics('default', {})
    expect(after!.figures.refreshes).toBeGreaterThan(2)
    expect(after!.figures.usd).toBeCloseTo(spent, 9)
  })

  it('G-018: is not where its agent is idle: once it has gone, it is waited for no longer than has paid', async () => {
    const gateway = await testGateway()
    await agent(gateway, [10, 10, 10])
    const before = seenBy(gateway).length
    await gateway.clock.advance(600 * minute)
    expect(seenBy(gateway).slice(before).length).toBeLessThanOrEqual(2)
    const never = await testGateway()
    await agent(never, [1, 1, 1, 1])
    await never.clock.advance(600 * minute)
    expect(refreshes(seenBy(never))).toEqual([])
  })

  it('N-39, B-09: costs less than it saves, refreshes included, and the receipt says both', async () => {
    const gateway = await testGateway()
    await agent(gateway, [10, 10, 10])
    const kept = (await receipts(gateway)).at(-1)!.result!
    expect(kept.keptWarm).toMatchObject({ refreshes: 2 })
    const without = await testGateway({ config: { promptCache: { keepalive: false } } })
    await agent(without, [10, 10, 10])
    expect(refreshes(seenBy(without))).toEqual([])
    const cold = (await receipts(without)).at(-1)!.result!
    expect(cold.keptWarm).toBeUndefined()
    expect(kept.cost!.usd!).toBeGreaterThan(kept.keptWarm!.usd!)
    expect(kept.cost!.usd!).toBeLessThan(0.8 * cold.cost!.usd!)
    expect(kept.cost!.passThroughUsd!).toBeGreaterThan(0.9 * cold.cost!.passThroughUsd!)
  })

  it('N-39: spends less than it saves over sessions of many kinds, and on none of them much more', async () => {
    const totals = { kept: 0, cold: 0 }
    for (const kind of kinds) {
      const [kept, cold] = [await spentOn(kind, true), await spentOn(kind, false)]
      expect(kept / cold).toBeLessThan(1.08)
      totals.kept += kept
      totals.cold += cold
    }
    expect(totals.kept / totals.cold).toBeLessThan(0.93)
  })

  it('is then as warm for the planner as it is for the provider', async () => {
    const gateway = await testGateway()
    await agent(gateway, [10, 10, 10], { results: 4 })
    const causes = (await receipts(gateway)).map(({ manifest }) => manifest.epoch?.cause)
    expect(causes[2]).toBe('cold-cache')
    expect(causes[3]).not.toBe('cold-cache')
  })

  it('is not read again for models whose provider has no such request, or that last for longer', async () => {
    const openai = await testGateway()
    await agent(openai, [10, 10, 10, 10], { dialect: openaiFixture })
    const long = await testGateway()
    await agent(long, [10, 10, 10, 10], { more: { cache_control: { type: 'ephemeral', ttl: '1h' } } })
    expect([openai.provider.requests.length, long.provider.requests.length]).toEqual([5, 5])
  })

  it('is not where the provider would refuse it', async () => {
    const gateway = await testGateway()
    const more = { tool_choice: { type: 'any' } }
    await agent(gateway, [10, 10, 10, 10], { more })
    expect(gateway.provider.requests.length).toBe(5)
  })

  it('and no longer once the gateway has closed', async () => {
    const gateway = await testGateway()
    await agent(gateway, [10, 10])
    const before = gateway.provider.requests.length
    await gateway.close()
    await gateway.clock.advance(60 * minute)
    expect(gateway.provider.requests.length).toBe(before)
  })
})
