import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { jsonLogger, openGateway, parseConfig } from '../src/gateway/index.ts'
import { manualClock } from '../src/providers/index.ts'
import { memoryStore } from '../src/stores/index.ts'
import { startRedis } from './redis.ts'
import type { RedisServer } from './redis.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-shared-'))
let server: RedisServer
const closing: (() => Promise<unknown>)[] = []
beforeAll(async () => void (server = await startRedis()))
afterEach(() => Promise.all(closing.splice(0).map((close) => close())))
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

interface PruneJobs {
  readonly done: number
  readonly elsewhere: number
}

it('of two gateways that name one Redis one prunes; while it is gone requests are answered, and background work waits', async () => {
  const clock = manualClock(Date.now())
  const store = memoryStore()
  const log: string[] = []
  const logger = jsonLogger((line) => void log.push((JSON.parse(line) as { event: string }).event), Date.now)
  const open = async () => {
    const config = parseConfig({ port: 0, hot: server.url })
    const gateway = await openGateway(config, {
      store,
      logger,
      clock: () => clock.now(),
      wait: (ms, signal) => clock.wait(ms, signal),
    })
    closing.push(() => gateway.close(0))
    return gateway
  }
  const gateways = [await open(), await open()]
  const pruned = async (): Promise<PruneJobs> => {
    const all = await Promise.all(
      gateways.map(async ({ url }) => {
        const { jobs } = (await (await fetch(`${url}/v1/health`)).json()) as { jobs: (PruneJobs & { kind: string })[] }
        return jobs.find(({ kind }) => kind === 'prune') ?? { done: 0, elsewhere: 0 }
      }),
    )
    const sum = (name: keyof PruneJobs): number => all.reduce((total, jobs) => total + jobs[name], 0)
    return { done: sum('done'), elsewhere: sum('elsewhere') }
  }
  await clock.advance(60_000)
  await expect.poll(pruned).toEqual({ done: 1, elsewhere: 1 })
  await server.kill()
  await clock.advance(60_000)
  const body = JSON.stringify({ model: 'gpt-5.1', messages: [{ role: 'user', content: 'Hello' }] })
  const headers = { 'content-type': 'application/json' }
  for (const { url } of gateways)
    expect((await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })).status).toBe(200)
  const hotStates = async () =>
    Promise.all(
      gateways.map(async ({ url }) => {
        const { checks } = (await (await fetch(`${url}/v1/health`)).json()) as {
          checks: { name: string; state: string }[]
        }
        return checks.find(({ name }) => name === 'hot')?.state
      }),
    )
  await expect.poll(hotStates).toEqual(['failed', 'failed'])
  const times = (event: string): number => log.filter((each) => each === event).length
  expect([times('hot-unreachable'), times('hot-back')]).toEqual([2, 0])
  await server.start()
  const back = async (): Promise<number> => {
    await clock.advance(1000)
    return times('hot-back')
  }
  await expect.poll(back, { timeout: 10_000 }).toBe(2)
  expect(await hotStates()).toEqual(['ok', 'ok'])
})

it('prehend doctor says whether the Redis of --hot answers, and serve ends with one line where it does not', () => {
  const said = (...argv: readonly string[]) => {
    const given = [...argv, '--data', folder]
    const { status, stdout, stderr } = spawnSync(process.execPath, ['src/cli/main.ts', ...given], { encoding: 'utf8' })
    return { code: status, out: stdout, err: stderr }
  }
  const up = said('doctor', '--hot', server.url)
  expect(up.out).toMatch(/^ok +hot +Redis answers$/m)
  const down = said('doctor', '--hot', 'redis://127.0.0.1:1')
  expect(down.out).toMatch(/^FAIL +hot +Redis at redis:\/\/127\.0\.0\.1:1 failed: /m)
  expect(down.code).not.toBe(0)
  const serve = said('serve', '--port', '0', '--hot', 'redis://127.0.0.1:1')
  expect(serve.err).toMatch(/Redis at redis:\/\/127\.0\.0\.1:1 failed: .*ECONNREFUSED/)
  expect(serve.code).not.toBe(0)
  const wrong = said('serve', '--port', '0', '--hot', 'localhost:6379')
  expect(wrong.err).toContain('hot: is no address of a Redis server')
})
