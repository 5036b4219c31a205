import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createClient } from 'redis'
import { openGateway, parseConfig } from '../src/gateway/index.ts'
import type { Gateway, GatewayConfigInput } from '../src/gateway/index.ts'
import { fetchUpstream, simulatedProvider } from '../src/providers/index.ts'
import type { SimulatedProviderOptions } from '../src/providers/index.ts'
import { onlyUpstream } from '../src/gateway/index.ts'
import { memoryStore } from '../src/stores/index.ts'
import type { Store } from '../src/stores/index.ts'
import { redisHot } from '../src/stores/remote/index.ts'
import { startRedis } from './redis.ts'
import type { RedisServer } from './redis.ts'

let server: RedisServer
const closing: (() => Promise<unknown>)[] = []
beforeAll(async () => void (server = await startRedis()))
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
  await flushed()
})
afterAll(() => server.stop())

async function flushed(): Promise<void> {
  const client = createClient({ url: server.url })
  await client.connect()
  await client.flushAll()
  client.destroy()
}

interface Pair {
  readonly gateways: readonly Gateway[]
  readonly store: Store
}

/** Two gateways on one store and one Redis. */
async function pair(budgets: GatewayConfigInput['budgets'], options: SimulatedProviderOptions = {}): Promise<Pair> {
  const store = memoryStore()
  const provider = simulatedProvider(options)
  const open = async (): Promise<Gateway> => {
    const upstream = fetchUpstream({ name: 'simulated', origin: 'http://simulated', fetch: provider.fetch })
    const config = parseConfig({ port: 0, hot: server.url, budgets })
    const gateway = await openGateway(config, { store, upstreams: onlyUpstream(upstream) })
    closing.push(() => gateway.close(0))
    return gateway
  }
  return { store, gateways: [await open(), await open()] }
}

function ask(gateway: Gateway | undefined, maxTokens = 100, signal?: AbortSignal): Promise<Response> {
  const body = JSON.stringify({
    model: 'gpt-4.1',
    max_tokens: maxTokens,
    messages: [{ role: 'user', content: 'Hello' }],
  })
  const headers = { 'content-type': 'application/json', 'authorization': 'Bearer key' }
  return fetch(`${gateway?.url}/v1/chat/completions`, { method: 'POST', headers, body, ...(signal && { signal }) })
}

async function statusOf(gateway: Gateway | undefined, maxTokens?: number): Promise<number> {
  const response = await ask(gateway, maxTokens)
  await response.text()
  return response.status
}

async function spentTokens(store: Store): Promise<number> {
  const { sums } = await store.read('spending').standing('default', { since: '2026-01-01', ids: [] })
  return sums.filter(({ unit }) => unit === 'tokens').reduce((total, { amount }) => total + amount, 0)
}

/** What the ledger holds of today's tokens; nothing while it is not confirmed. */
async function ledgerTokens(): Promise<object> {
  const hot = await redisHot({ url: server.url })
  const account = `tenant|${new Date().toISOString().slice(0, 10)}|tokens`
  const entries = [{ account, amount: 0, ttlMs: 60_000 }]
  const answer = await hot.reserve('default', { owner: 'test', ownerMs: 1000, graceMs: 2000, entries })
  await hot.close()
  return { outcome: answer.outcome, ...answer.accounts[0] }
}

/** What one of these requests may take: 8 tokens by our count, with what may be off by it, and 100 of output. */
const mostTokens = 125
const tellsAll = { script: () => ({ text: 'word '.repeat(200) }) }

it('64 requests at once by way of two gateways never take more than the limit that both share', async () => {
  const limit = 1500
  const { gateways, store } = await pair({ tokensPerDay: limit, outputTokens: 100 }, { ...tellsAll, firstByteMs: 1500 })
  const first = await Promise.all(Array.from({ length: 64 }, (_, at) => statusOf(gateways[at % 2])))
  const granted = first.filter((status) => status === 200).length
  expect(new Set(first)).toEqual(new Set([200, 429]))
  // Each has room for what it may take, and no more begin than that.
  expect(granted).toBe(Math.floor(limit / mostTokens))
  await expect.poll(() => ledgerTokens()).toEqual({ outcome: 'granted', settled: await spentTokens(store), open: 0 })
  for (let round = 0; round < 3; round += 1)
    await Promise.all(Array.from({ length: 64 }, (_, at) => statusOf(gateways[at % 2], 20)))
  const spent = await spentTokens(store)
  expect(spent).toBeLessThanOrEqual(limit)
  expect(spent).toBeGreaterThan(limit - 60)
})

it('requests under way are counted again after FLUSHALL, before others are let through', async () => {
  const { gateways, store } = await pair({ tokensPerDay: 400 }, { ...tellsAll, firstByteMs: 6000 })
  expect(await statusOf(gateways[0], 1000)).toBe(429)
  const underway = [0, 1, 0].map((at) => statusOf(gateways[at]))
  await expect.poll(() => ledgerTokens()).toMatchObject({ settled: 0, open: 3 * mostTokens })
  await flushed()
  const startedMs = performance.now()
  expect(await Promise.all([statusOf(gateways[1]), statusOf(gateways[0])])).toEqual([429, 429])
  expect(performance.now() - startedMs).toBeGreaterThan(1500)
  expect(await Promise.all(underway)).toEqual([200, 200, 200])
  const spent = await spentTokens(store)
  expect(spent).toBeLessThanOrEqual(400)
  await expect.poll(() => ledgerTokens()).toEqual({ outcome: 'granted', settled: spent, open: 0 })
})

it('a Redis that is killed under load and comes back empty holds in the end what the store holds, within the limit', async () => {
  const limit = 12_000
  const { gateways, store } = await pair({ usdPerDay: 100, tokensPerDay: limit }, { ...tellsAll, firstByteMs: 30 })
  const seen = new Map<number, number>()
  const over = new AbortController()
  const asking = async (at: number): Promise<void> => {
    while (!over.signal.aborted) {
      const status = await statusOf(gateways[at % 2])
      seen.set(status, (seen.get(status) ?? 0) + 1)
      expect(await spentTokens(store)).toBeLessThanOrEqual(limit)
      await delay(100 + 10 * at)
    }
  }
  const load = Promise.all(Array.from({ length: 6 }, (_, at) => asking(at)))
  await delay(3000)
  await server.kill()
  await delay(700)
  await server.start()
  await delay(3500)
  await flushed()
  await delay(3500)
  over.abort()
  await load
  while ((await statusOf(gateways[0])) !== 429) expect(await spentTokens(store)).toBeLessThanOrEqual(limit)
  seen.set(429, 1)
  expect([...seen.keys()].toSorted((one, other) => one - other)).toEqual([200, 429, 503])
  const spent = await spentTokens(store)
  expect(spent).toBeGreaterThan(limit - 200)
  await expect.poll(() => ledgerTokens()).toEqual({ outcome: 'granted', settled: spent, open: 0 })
})
