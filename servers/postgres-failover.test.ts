import postgres from 'postgres'
import { afterAll, expect, it } from 'vitest'
import { postgresStore } from '../src/stores/remote/index.ts'
import { faultyProxy } from './faulty-proxy.ts'
import { startPostgres } from './postgres.ts'

const closing: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})

async function ask(url: string, ...statements: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const admin = postgres(url, { onnotice: () => undefined, max: 1 })
  let rows: readonly Record<string, unknown>[] = []
  for (const statement of statements) rows = await admin.unsafe(statement)
  await admin.end()
  return rows
}

it('after a failover to a synchronous replica what was acknowledged is there, and the store goes on', async () => {
  const primary = await startPostgres()
  closing.push(() => primary.stop())
  const replica = await startPostgres({ replicaOf: primary })
  closing.push(() => replica.stop())
  await ask(primary.url, `ALTER SYSTEM SET synchronous_standby_names = '*'`, 'SELECT pg_reload_conf()')
  const states = () => ask(primary.url, 'SELECT sync_state FROM pg_stat_replication')
  await expect.poll(async () => (await states())[0]?.['sync_state']).toBe('sync')
  // As a load balancer or a name in DNS does.
  const proxy = await faultyProxy(primary.port)
  closing.push(() => proxy.close())
  const store = await postgresStore({ url: `postgres://prehend@127.0.0.1:${proxy.port}/postgres`, timeoutMs: 2000 })
  closing.push(() => store.close())

  const acknowledged: string[] = []
  const over = new AbortController()
  const write = async (session: string): Promise<void> => {
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      const handle = `${session}-${turn}`
      const writes = [{ table: 'originals', originals: [{ handle, text: handle.repeat(100) }] }] as const
      await store.commit({ scope: { tenant: 'acme', session }, nowMs: turn, writes }).then(
        () => void acknowledged.push(handle),
        () => new Promise((done) => void setTimeout(done, 20)),
      )
    }
  }
  const writers = ['a', 'b', 'c', 'd'].map(write)
  await expect.poll(() => acknowledged.length).toBeGreaterThan(100)
  await primary.kill()
  proxy.moveTo(replica.port)
  // Until it is promoted the replica takes no writes, and says so.
  await expect
    .poll(() => store.ping().catch((error: unknown) => String(error)))
    .toMatch(/cannot execute INSERT in a read-only transaction/)
  const before = acknowledged.length
  await ask(replica.url, 'SELECT pg_promote()')
  await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 100)
  over.abort()
  await Promise.all(writers)
  for (const handle of acknowledged) {
    const [session = ''] = handle.split('-')
    const found = await store.read('originals').get({ tenant: 'acme', session }, handle)
    expect(found?.text).toBe(handle.repeat(100))
  }
  process.stderr.write(`failover: ${before} acknowledged before, ${acknowledged.length - before} after\n`)
})

it('where a role may have no more connections, those that stand do all the work', async () => {
  const server = await startPostgres()
  closing.push(() => server.stop())
  await ask(server.url, 'CREATE ROLE limited LOGIN CONNECTION LIMIT 2', 'GRANT CREATE ON DATABASE postgres TO limited')
  const store = await postgresStore({ url: server.url.replace('prehend@', 'limited@'), connections: 6 })
  closing.push(() => store.close())
  const sessions = Array.from({ length: 60 }, (_, index) => ({ tenant: 'acme', session: `s${index}` }))
  const commit = (scope: (typeof sessions)[number], nowMs: number) =>
    store.commit({ scope, nowMs, writes: [{ table: 'sessions', offeredTools: ['rehydrate'] }] })
  const read = (scope: (typeof sessions)[number]) => store.read('sessions').get(scope)
  const outcomes = await Promise.allSettled([...sessions.map((scope) => commit(scope, 1)), ...sessions.map(read)])
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
  for (const scope of sessions) expect((await read(scope))?.version).toBe(1)
  const full = postgresStore({ url: server.url.replace('prehend@', 'limited@'), connections: 1 })
  await expect(full).rejects.toThrow('too many connections for role "limited"')
})
