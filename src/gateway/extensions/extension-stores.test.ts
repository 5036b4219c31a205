import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { simulatedProvider } from '../../providers/index.ts'
import { openSession } from '../../sessions/index.ts'
import { memoryStore } from '../../stores/index.ts'
import { openGateway, parseConfig } from '../index.ts'
import { openaiFixture, post, testGateway } from '../on-the-wire/test-gateway.fixture.ts'
import { closeThreadedGateways, startedThread, threadedGateway } from '../on-the-wire/threads.fixture.ts'
import type { ExtensionHost } from './index.ts'
import { weather, weatherTables } from './weather.fixture.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  await closeThreadedGateways()
  for (const close of closers.splice(0).toReversed()) await close()
})

const folder = mkdtempSync(join(tmpdir(), 'prehend-extension-stores-'))
afterAll(() => rmSync(folder, { recursive: true }))
const module = join(folder, 'weather.mjs')
writeFileSync(module, `export { weather as default } from '${new URL('weather.fixture.ts', import.meta.url).href}'`)

const weatherAt = async (url: string): Promise<unknown> => (await fetch(`${url}/v1/extensions/weather`)).json()

describe('tables of an extension in a gateway', () => {
  it('are written by the thread that carries, through the thread of the store, and read by the one that serves', async () => {
    const server = await simulatedProvider({ script: () => 'done', strict: false }).listen()
    closers.push(() => server.close())
    const config = { extensions: [module], record: 'content' as const }
    const gateway = await threadedGateway(server.url, config, { modules: [pathToFileURL(module).href] })
    await startedThread(gateway)
    const before = gateway.carried()
    expect(await (await post(gateway, openaiFixture, openaiFixture.body(2))).text()).toContain('done')
    await expect.poll(() => gateway.carried()).toBe(before + 1)
    expect(await weatherAt(gateway.url)).toEqual([30, 'on a carrying thread'])

    const [receipt] = await gateway.store.read('receipts').list('default', { limit: 1 })
    const headers = { 'content-type': 'application/json' }
    const proof = await fetch(`${gateway.url}/v1/packs/${receipt?.requestId}/verify`, { method: 'POST', headers })
    expect(await proof.json()).toMatchObject({ verified: true })

    await gateway.store.dropTenant('default')
    expect(await weatherAt(gateway.url)).toEqual([null, null])
  })

  it('of a value are there in the store that the host has opened with them', async () => {
    const store = memoryStore({ tables: weatherTables })
    const { url } = await testGateway({ store, host: { extensions: [weather] } })
    await post({ url }, openaiFixture, openaiFixture.body(1))
    expect(await weatherAt(url)).toEqual([30, 'here'])
  })

  it('must be in the store: a gateway on another one does not start', async () => {
    const opening = openGateway(parseConfig({ port: 0 }), { store: memoryStore(), extensions: [weather] })
    await expect(opening).rejects.toThrow(
      /^extension weather\.tables\[0\]: the store was opened without weather\.notes\. Open the store with `tables`/,
    )
  })
})

describe('tables of an extension in a session', () => {
  const request = { model: 'gpt-5.1', messages: [{ role: 'user' as const, content: 'Hello' }] }
  const keeping = {
    ...weather,
    open: ({ table }: ExtensionHost) => ({
      events: () => {
        void table(weatherTables[1]).write({ tenant: 'acme', session: '' }, { key: 'monday', value: 30 })
      },
    }),
  }

  it('are in its store, which is in memory where none is given', async () => {
    const store = memoryStore({ tables: weatherTables })
    for (const given of [{ store }, {}]) {
      const session = openSession({ extensions: [keeping], policy: 'thrifty', ...given })
      await session.pack(request)
      session.changePolicy({ reserveShare: 0.2 }, 'by hand')
      await session.close()
    }
    const reads = store.read('weather.days' as never) as { get(tenant: string, key: string): Promise<unknown> }
    expect(await reads.get('acme', 'monday')).toMatchObject({ value: 30 })
  })

  it('are told apart: an extension gets no table but its own', async () => {
    const stranger = {
      name: 'stranger',
      specificationVersion: 1 as const,
      open({ table }: ExtensionHost) {
        table(weatherTables[0])
        return {}
      },
    }
    const session = openSession({ extensions: [weather, stranger] })
    await expect(session.pack(request)).rejects.toThrow('extension stranger: has no table weather.notes')
    await session.close()
  })
})
