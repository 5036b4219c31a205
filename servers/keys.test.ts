import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { keyConfig, keyTokens, withKeys } from '../src/gateway/on-the-wire/keys.fixture.ts'
import type { KeyGateway } from '../src/gateway/on-the-wire/keys.fixture.ts'
import { closeTestGateways, testGateway } from '../src/gateway/on-the-wire/test-gateway.fixture.ts'
import { noChains, readEntry } from '../src/stores/index.ts'
import type { AuditEntry } from '../src/stores/index.ts'
import { postgresStore, redisHot } from '../src/stores/remote/index.ts'
import { startPostgres } from './postgres.ts'
import type { PostgresServer } from './postgres.ts'
import { startRedis } from './redis.ts'
import type { RedisServer } from './redis.ts'

let postgres: PostgresServer
let redis: RedisServer
const closing: (() => Promise<unknown>)[] = []
beforeAll(async () => void ([postgres, redis] = await Promise.all([startPostgres(), startRedis()])))
afterEach(async () => {
  await closeTestGateways()
  await Promise.all(closing.splice(0).map((close) => close()))
})
afterAll(() => Promise.all([postgres.stop(), redis.stop()]))

let schemas = 0

/** Processes on one database and one Redis. */
async function gateways(count: number): Promise<readonly KeyGateway[]> {
  schemas += 1
  const schema = `keys_${schemas}`
  const opened: KeyGateway[] = []
  for (let number = 0; number < count; number += 1) {
    const store = await postgresStore({ url: postgres.url, schema, connections: 3 })
    const hot = await redisHot({ url: redis.url, prefix: `${schema}:` })
    closing.push(
      () => store.close(),
      () => hot.close(),
    )
    opened.push(withKeys(await testGateway({ script: () => 'done', store, config: keyConfig, host: { hot } })))
  }
  return opened
}

const { boss } = keyTokens
const status = async (gateway: KeyGateway, secret: string) => (await gateway.ask(secret)).status

it('a key that one process revokes stops on the other, whose clock stands still', async () => {
  const [one, other] = (await gateways(2)) as [KeyGateway, KeyGateway]
  const { body: key } = await one.as(boss, 'POST', '/v1/keys', { name: 'ci' })
  for (const gateway of [one, other]) expect(await status(gateway, key.secret)).toBe(200)
  expect((await one.as(boss, 'DELETE', `/v1/keys/${key.id}`)).status).toBe(200)
  expect(await status(one, key.secret)).toBe(401)
  await expect.poll(() => status(other, key.secret), { timeout: 2000, interval: 5 }).toBe(401)
  expect((await other.ask(key.secret)).message).toContain('was revoked at')
})

it('a rotation on one process counts on the other, and a new key is known there although it was missed', async () => {
  const [one, other] = (await gateways(2)) as [KeyGateway, KeyGateway]
  const { body: key } = await one.as(boss, 'POST', '/v1/keys', { name: 'ci', allowedModels: ['gpt-*'] })
  expect(await status(other, key.secret)).toBe(200)
  const { body: fresh } = await one.as(boss, 'POST', `/v1/keys/${key.id}/rotate`, { graceMs: 0 })
  await expect.poll(() => status(other, key.secret), { timeout: 2000, interval: 5 }).toBe(401)
  expect(await status(other, fresh.secret)).toBe(200)
  expect((await other.ask(fresh.secret, 'claude-opus-4-5')).message).toContain('It may use gpt-*.')
})

it('without Redis a revoked key stops on the other process within the seconds that it is known', async () => {
  const [one, other] = (await gateways(2)) as [KeyGateway, KeyGateway]
  const { body: key } = await one.as(boss, 'POST', '/v1/keys', { name: 'ci' })
  expect(await status(other, key.secret)).toBe(200)
  await redis.kill()
  try {
    expect((await one.as(boss, 'DELETE', `/v1/keys/${key.id}`)).status).toBe(200)
    expect(await status(one, key.secret)).toBe(401)
    expect(one.log).toContainEqual(expect.objectContaining({ event: 'keys-failed' }))
    await other.clock.advance(5000)
    expect(await status(other, key.secret)).toBe(401)
  } finally {
    await redis.start()
  }
})

it('known keys go on while the database is away; unknown ones are not let in', async () => {
  const [gateway] = (await gateways(1)) as [KeyGateway]
  const { body: key } = await gateway.as(boss, 'POST', '/v1/keys', { name: 'ci' })
  expect(await status(gateway, key.secret)).toBe(200)
  await postgres.kill()
  try {
    await gateway.clock.advance(60_000)
    expect(await status(gateway, key.secret)).toBe(200)
    expect(await status(gateway, `phd_${'y'.repeat(43)}`)).toBe(503)
  } finally {
    await postgres.start()
  }
})

it('changes of many processes at once make one audit chain, with an entry for each', async () => {
  const opened = await gateways(3)
  const made = await Promise.all(
    Array.from({ length: 30 }, (_, index) => opened[index % 3]!.as(boss, 'POST', '/v1/keys', { name: `k${index}` })),
  )
  expect(made.map(({ status: each }) => each)).toEqual(made.map(() => 201))
  const { id } = made[0]!.body
  const changed = await Promise.all(
    opened.map((gateway, index) => gateway.as(boss, 'PATCH', `/v1/keys/${id}`, { name: `by ${index}` })),
  )
  expect(changed.map(({ status: each }) => each)).toEqual([200, 200, 200])
  const { body } = await opened[0]!.as(boss, 'GET', '/v1/audit?order=chain')
  const entries = body.data as unknown as AuditEntry[]
  const read = entries.reduce(readEntry, noChains)
  expect([read.entries, read.broken]).toEqual([33, undefined])
  const changes = entries.filter(({ action }) => action === 'key.change')
  expect(changes[1]!.beforeHash).toBe(changes[0]!.afterHash)
  expect(changes[2]!.beforeHash).toBe(changes[1]!.afterHash)
})
