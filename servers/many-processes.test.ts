import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { handleIn, longResult, openaiFixture } from '../src/gateway/on-the-wire/test-gateway.fixture.ts'
import { simulatedProvider } from '../src/providers/index.ts'
import type { SimulatedProvider } from '../src/providers/index.ts'
import { claimValue } from '../src/stores/index.ts'
import type { Store } from '../src/stores/index.ts'
import { postgresStore } from '../src/stores/remote/index.ts'
import { startGateway } from './gateway-process.ts'
import type { GatewayProcess } from './gateway-process.ts'
import { startPostgres } from './postgres.ts'
import type { PostgresServer } from './postgres.ts'
import { startRedis } from './redis.ts'
import type { RedisServer } from './redis.ts'

let database: PostgresServer
let redis: RedisServer
let databases = 0
const closing: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  database = await startPostgres()
  redis = await startRedis()
})
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})
afterAll(async () => {
  await database.stop()
  await redis.stop()
})

interface World {
  readonly provider: SimulatedProvider
  readonly store: Store
  start(...options: readonly string[]): Promise<GatewayProcess>
}

/** A database of its own, and a provider in this process. All handles are the same in every world. */
async function world(): Promise<World> {
  const name = `world${(databases += 1)}`
  const admin = postgres(database.url, { onnotice: () => undefined })
  await admin.unsafe(`CREATE DATABASE ${name}`)
  await admin.end()
  const url = database.url.replace(/postgres$/, name)
  const store = await postgresStore({ url })
  closing.push(() => store.close())
  await claimValue(store, 'handle-secret', 'the same for all')
  const provider = simulatedProvider({ script: () => 'done' })
  const server = await provider.listen()
  closing.push(() => server.close())
  const upstream = ['--upstream', `openai=${server.url}/v1`]
  return {
    provider,
    store,
    async start(...options) {
      const own = ['--store', url, '--hot', redis.url, ...upstream, '--threads', '2', ...options]
      const gateway = await startGateway(own)
      closing.push(() => gateway.kill())
      return gateway
    },
  }
}

async function send(url: string, session: string, results: number): Promise<Response> {
  const body = openaiFixture.body(results)
  const named = { ...body, messages: [openaiFixture.says(`I am ${session}.`), ...body.messages] }
  const headers = { 'content-type': 'application/json', ...openaiFixture.headers, 'x-session-id': session }
  return fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body: JSON.stringify(named) })
}

/** What the provider bills for a session that is dealt out in turn, in uncached input tokens; bodies of 60 KB and more go to threads. */
async function billOf(count: number): Promise<number> {
  const { provider, start } = await world()
  const gateways = await Promise.all(Array.from({ length: count }, () => start()))
  for (let results = 1; results <= 24; results += 1) {
    const response = await send(gateways[results % count]!.url, 's', results)
    expect(response.status).toBe(200)
    expect(response.headers.get('x-prehend-skipped')).toBeNull()
    await response.text()
  }
  return provider.requests.reduce((sum, { usage }) => {
    const read = usage?.cacheReadTokens ?? 0
    return sum + (usage?.inputTokens ?? 0) - 0.9 * read
  }, 0)
}

it('a session that several processes carry in turn costs what it costs with one', async () => {
  const [one, two, four] = [await billOf(1), await billOf(2), await billOf(4)]
  process.stderr.write(`billed: ${one}, over two ${(two / one).toFixed(4)}, over four ${(four / one).toFixed(4)}\n`)
  expect(one).toBeGreaterThan(0)
  expect(two / one).toBeLessThanOrEqual(1.01)
  expect(four / one).toBeLessThanOrEqual(1.01)
})

it('without its PostgreSQL a gateway sends requests on, and packs again when the server is back', async () => {
  const { start } = await world()
  const gateway = await start()
  const skipped = async (results: number): Promise<string | null> => {
    const response = await send(gateway.url, 'fault', results)
    expect(response.status).toBe(200)
    await response.text()
    return response.headers.get('x-prehend-skipped')
  }
  expect(await skipped(8)).toBeNull()
  await database.kill()
  // On the serving thread, and on one that carries large bodies.
  for (const results of [1, 9]) expect(await skipped(results)).toBe('store')
  await database.start()
  for (const results of [2, 10]) await expect.poll(() => skipped(results)).toBeNull()
  const text = await (await fetch(`${gateway.url}/metrics`)).text()
  expect(text).toMatch(/^prehend_store_troubles_total\{kind="lost"\} [1-9]/m)
})

const kills = 20
/** Leaves results out by their age. Whether a rewrite pays depends on how requests fall into turns, which kills decide. */
const masked = ['--policy', 'masked']
/** So many requests take a session to its full length: long enough that results are left out of it. */
const fewestRequests = 60

it('of processes that are killed twenty times under load, what was answered is recorded, and every handle resolves', async () => {
  const { provider, store, start } = await world()
  const gateways = await Promise.all([start(...masked), start(...masked)])
  const answered: string[] = []
  const over = new AbortController()
  const agent = async (session: string, at: number): Promise<void> => {
    for (let count = 0; count < fewestRequests || !over.signal.aborted; count += 1) {
      const { url } = gateways[(at + count) % gateways.length]!
      try {
        const response = await send(url, session, 1 + (Math.floor(count / 2) % 30))
        await response.text()
        expect(response.status).toBe(200)
        answered.push(response.headers.get('x-prehend-request-id')!)
      } catch (error) {
        // Killed before or within its answer: the client tries the other process.
        if (!(error instanceof TypeError)) throw error
        await delay(20)
      }
    }
  }
  const agents = ['a', 'b', 'c', 'd'].map((session, at) => agent(session, at))
  for (let kill = 0; kill < kills; kill += 1) {
    await delay(100 + 37 * (kill % 11))
    await gateways[kill % 2]!.kill()
    gateways[kill % 2] = await start(...masked)
  }
  over.abort()
  await Promise.all(agents)
  for (const { stop } of gateways) await stop()

  expect(answered.length).toBeGreaterThan(2 * kills)
  const receipts = await store.read('receipts').list('default', { limit: 100_000 })
  const recorded = new Set(receipts.map(({ requestId }) => requestId))
  expect(answered.filter((id) => !recorded.has(id))).toEqual([])
  let pointers = 0
  for (const { body } of provider.requests) {
    const session = /I am (\w)\./.exec(body)?.[1] ?? ''
    for (let number = 1; number <= 30; number += 1) {
      const handle = handleIn(body, number)
      if (handle === undefined) continue
      pointers += 1
      const original = await store.read('originals').get({ tenant: 'default', session }, handle)
      expect(original?.text).toBe(longResult(number))
    }
  }
  expect(pointers).toBeGreaterThan(0)
  process.stderr.write(`killed ${kills} times: ${answered.length} answers, ${pointers} pointers\n`)
}, 400_000)
