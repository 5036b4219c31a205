import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { redisHot } from '../src/stores/remote/index.ts'
import type { RedisHot } from '../src/stores/remote/index.ts'
import { hotContract } from '../src/testing/index.ts'
import { startRedis } from './redis.ts'
import type { RedisServer } from './redis.ts'

let server: RedisServer
const opened: RedisHot[] = []
let states = 0

beforeAll(async () => void (server = await startRedis()))
afterEach(() => Promise.all(opened.splice(0).map((hot) => hot.close())))
afterAll(() => server.stop())

async function connected(prefix = `state-${(states += 1)}:`): Promise<RedisHot> {
  const hot = await redisHot({ url: server.url, prefix, timeoutMs: 500 })
  opened.push(hot)
  return hot
}

const cases = hotContract('Redis', async () => {
  const prefix = `state-${(states += 1)}:`
  const [hot, beside] = [await connected(prefix), await connected(prefix)]
  // Of the server's own clock; a message has to come over a socket.
  return { hot, beside, advance: (ms) => delay(ms + 30) }
})

describe('hot state in Redis', () => {
  it.each(cases)('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined()
  })

  it('gateways with another prefix see nothing of it', async () => {
    const [one, other] = [await connected(), await connected()]
    const heard: string[] = []
    other.subscribe('news', (message) => void heard.push(message))
    await one.put('k', 'v', 60_000)
    await one.take('k', 3, { most: 3, ttlMs: 60_000 })
    await one.publish('news', 'hello')
    expect(await other.get('k')).toBeUndefined()
    expect(await other.take('k', 3, { most: 3, ttlMs: 60_000 })).toMatchObject({ taken: true, left: 0 })
    expect(await other.lease('k', 'b', 1000)).toBe(true)
    expect(await one.lease('k', 'a', 1000)).toBe(true)
    await delay(50)
    expect(heard).toEqual([])
  })

  it('takes fractions to the last digit, and says when a sum ends', async () => {
    const hot = await connected()
    const limit = { most: 0.3, ttlMs: 60_000 }
    const before = Date.now()
    expect((await hot.take('usd', 0.1, limit)).taken).toBe(true)
    expect((await hot.take('usd', 0.2, { ...limit, most: 0.1 + 0.2 })).taken).toBe(true)
    const over = await hot.take('usd', 1e-12, { ...limit, most: 0.1 + 0.2 })
    expect(over).toMatchObject({ taken: false, left: 0 })
    expect(over.resetMs).toBeGreaterThanOrEqual(before + 59_000)
    expect(over.resetMs).toBeLessThan(Date.now() + 61_000)
  })

  it('of a server that is killed every command fails at once and by name; back again, all goes on, subscriptions too', async () => {
    const hot = await connected()
    const heard: string[] = []
    hot.subscribe('news', (message) => void heard.push(message))
    await hot.put('k', 'v', 60_000)
    await server.kill()
    const started = performance.now()
    await expect(hot.get('k')).rejects.toMatchObject({ code: 'store-failed' })
    await expect(hot.take('k', 1, { most: 1, ttlMs: 1000 })).rejects.toThrow(
      /^Redis at redis:\/\/127\.0\.0\.1:\d+ failed: /,
    )
    await expect(hot.ping()).rejects.toMatchObject({ code: 'store-failed' })
    expect(performance.now() - started).toBeLessThan(5_000)
    const later: string[] = []
    hot.subscribe('news', (message) => void later.push(message))
    await server.start()
    await expect
      .poll(() =>
        hot.ping().then(
          () => 'up',
          () => 'down',
        ),
      )
      .toBe('up')
    expect(await hot.get('k')).toBeUndefined()
    await expect
      .poll(async () => {
        await hot.publish('news', 'back').catch(() => undefined)
        return [heard.includes('back'), later.includes('back')]
      })
      .toEqual([true, true])
  })

  it('of a server that answers nothing a command fails after its time', async () => {
    const hot = await connected()
    server.freeze(true)
    try {
      await expect(hot.get('k')).rejects.toThrow('no answer within 500 ms')
    } finally {
      server.freeze(false)
    }
    await expect.poll(() => hot.get('k').catch(() => 'down')).toBeUndefined()
  })

  it('says at once what is wrong with an address, a password or a server that is not there', async () => {
    await expect(redisHot({ url: 'localhost:6379' })).rejects.toThrow('options.url: is no address of a Redis server')
    await expect(redisHot({ url: 'redis://user:secret@127.0.0.1:1' })).rejects.toThrow(
      /^Redis at redis:\/\/127\.0\.0\.1:1 failed: .*ECONNREFUSED/,
    )
    const locked = await startRedis('--requirepass', 'secret')
    try {
      await expect(redisHot({ url: locked.url })).rejects.toThrow(/NOAUTH|Authentication required/)
      const wrong = redisHot({ url: locked.url.replace('redis://', 'redis://:wrong@') })
      await expect(wrong).rejects.toThrow(/WRONGPASS|invalid/)
      await expect(wrong).rejects.not.toThrow('wrong@')
      const right = await redisHot({ url: locked.url.replace('redis://', 'redis://:secret@') })
      await right.ping()
      await right.close()
    } finally {
      await locked.stop()
    }
  })
})
