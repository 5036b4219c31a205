import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { memoryStore, threadedSqliteStore } from '../../stores/index.ts'
import type { ThreadedStore } from '../../stores/index.ts'
import { showPack } from '../api/routes/pack-routes.ts'
import { readings } from '../readings/reading-answers.ts'
import { readingDesk } from '../readings/reading-desk.ts'
import { anHourMs, anthropicFixture, closeTestGateways, post, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

const ends: (() => Promise<void> | void)[] = []

afterEach(async () => {
  await closeTestGateways()
  for (const end of ends.splice(0).toReversed()) await end()
})

async function threadedStore(): Promise<ThreadedStore> {
  const folder = mkdtempSync(join(tmpdir(), 'prehend-readings-'))
  ends.push(() => rmSync(folder, { recursive: true, force: true }))
  const store = await threadedSqliteStore({ path: join(folder, 'store.db') })
  ends.push(() => store.close())
  return store
}

const asker = { keyId: 'k', scopes: [], from: '' }

async function send(gateway: TestGateway): Promise<string> {
  let id = ''
  for (const results of [5, 6, 7]) {
    const response = await post(gateway, anthropicFixture, anthropicFixture.body(results), { 'x-session-id': 'one' })
    await response.text()
    id = response.headers.get('x-prehend-request-id') ?? id
    await gateway.clock.advance(results === 6 ? anHourMs : 1000)
  }
  return id
}

it('what a thread answers is what the serving thread would, for every such route', async () => {
  const store = await threadedStore()
  const gateway = await testGateway({ script: () => 'done', store })
  const id = await send(gateway)
  const { connect: _, ...unconnected } = store
  const [there, here] = [readingDesk({ store }), readingDesk({ store: unconnected })]
  ends.push(() => there.close())
  const queries: Record<string, Record<string, unknown>> = {
    viewPack: { limit: 3, show: 'shortened' },
    copyPack: { as: 'curl' },
    showOutline: {},
    showUsage: { limit: 5, top: 3 },
    showToolUsage: { limit: 5, top: 3 },
    listSessionLabels: { limit: 5 },
    search: { q: 'one', session: 'one', limit: 5 },
    comparePolicies: { policy: 'careful', from: 'session', limit: 4 },
  }
  const careful = (await store.read('receipts').get('default', id))?.input?.policy
  for (const { stated } of readings) {
    const asked = {
      tenant: 'default',
      asker,
      host: 'here',
      params: { id, session: 'one' },
      query: queries[stated.name] ?? {},
      body: undefined,
    }
    const question = { name: stated.name, asked, given: { policy: careful } }
    const [one, other] = await Promise.all([there.read(question), here.read(question)])
    expect([stated.name, new TextDecoder().decode(one)]).toEqual([stated.name, new TextDecoder().decode(other)])
    expect(one.length).toBeGreaterThan(20)
  }
})

it('a gateway on such a store answers with its thread, errors too', async () => {
  const gateway = await testGateway({ script: () => 'done', store: await threadedStore() })
  const id = await send(gateway)
  const view = await fetch(`${gateway.url}/v1/packs/${id}/view?limit=2`)
  expect(view.headers.get('content-type')).toBe('application/json')
  expect(((await view.json()) as { items: unknown[] }).items).toHaveLength(2)
  expect(await (await fetch(`${gateway.url}/v1/packs/${id}/copy?as=curl`)).text()).toContain(new URL(gateway.url).host)
  const missing = await fetch(`${gateway.url}/v1/packs/req_none/view`)
  expect(missing.status).toBe(404)
  expect(((await missing.json()) as { error: { message: string } }).error.message).toContain('There is no such pack')
})

it('one that takes too long is told so, and the next begins on another thread', async () => {
  const store = await threadedStore()
  const gateway = await testGateway({ script: () => 'done', store })
  const id = await send(gateway)
  const asked = { tenant: 'default', asker, host: '', params: { id }, query: {}, body: undefined }
  const question = { name: showPack.name, asked }
  const hasty = readingDesk({ store, mostMs: 1 })
  await expect(hasty.read(question)).rejects.toMatchObject({ code: 'unavailable' })
  const desk = readingDesk({ store, idleMs: 20 })
  ends.push(() => desk.close())
  expect((await desk.read(question)).length).toBeGreaterThan(100)
  await new Promise((done) => setTimeout(done, 60))
  expect((await desk.read(question)).length).toBeGreaterThan(100)
  desk.close()
})

it('where a store cannot be reached from a thread, it is read where it is', async () => {
  const desk = readingDesk({ store: memoryStore() })
  const asked = { tenant: 'default', asker, host: '', params: { id: 'none' }, query: {}, body: undefined }
  await expect(desk.read({ name: showPack.name, asked })).rejects.toMatchObject({ code: 'not-found' })
})
