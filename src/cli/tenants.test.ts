import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { extensionTenant } from '../sessions/index.ts'
import { folderBlobs, inProcessHot, sqliteStore } from '../stores/index.ts'
import type { Store } from '../stores/index.ts'
import { fakeIo } from './fake-io.fixture.ts'
import { runCli } from './run-cli.ts'
import { ask, conversation, simulatedGateway } from './simulated-gateway.fixture.ts'
import type { SimulatedGateway } from './simulated-gateway.fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-tenants-'))
const blobs = folderBlobs(join(folder, 'blobs'))
const path = join(folder, 'prehend.sqlite')
const needle = 'unmistakable-needle'
let store: Store
let gateways: readonly SimulatedGateway[]

async function run(...argv: readonly string[]) {
  const io = fakeIo({ columns: 100, environment: { USER: 'alice' } })
  return { code: await runCli([...argv], io), ...io.written }
}

const headersOf = (token: string) => ({ authorization: `Bearer ${token}` })
const body = conversation(2)

function tokenOf(tenant: string, scopes?: 'operator'[]) {
  return { token: `token-of-${tenant}`, tenant, name: tenant, ...(scopes && { scopes }) }
}

beforeAll(async () => {
  store = sqliteStore({ path })
  const tokens = [tokenOf('acme'), tokenOf('globex'), tokenOf('house', ['operator'])]
  const hot = inProcessHot({ clock: Date.now })
  const extensions = [{ name: 'notes', specificationVersion: 1 as const, open: async () => ({}) }]
  const open = () => simulatedGateway(store, { tokens }, { hot, blobs, extensions })
  gateways = [await open(), await open()]
  for (const gateway of gateways)
    for (const tenant of ['acme', 'globex']) await ask(gateway, body, `token-of-${tenant}`)
  for (const tenant of ['acme', 'globex', extensionTenant('notes', 'acme'), extensionTenant('notes', 'globex')])
    await blobs.put(tenant, Buffer.from(`${needle} of ${tenant}`))
})
afterAll(async () => {
  for (const { gateway } of gateways) await gateway.close(0)
  await store.close()
  rmSync(folder, { recursive: true })
})

const blobTexts = (): readonly string[] =>
  readdirSync(join(folder, 'blobs'), { recursive: true, withFileTypes: true }).flatMap((one) =>
    one.isFile() ? [readFileSync(join(one.parentPath, one.name), 'utf8')] : [],
  )

describe('tenants', () => {
  it('are listed with what is kept of them, for operators only', async () => {
    const url = gateways[0]?.gateway.url ?? ''
    const own = await run('tenants', 'list', '--data', folder, '--json')
    expect(JSON.parse(own.out)).toEqual({
      tenants: [
        { tenant: 'acme', sessions: expect.any(Number), receipts: 2 },
        { tenant: 'globex', sessions: expect.any(Number), receipts: 2 },
      ],
    })
    expect(await run('tenants', 'list', '--url', url, '--token', 'token-of-house', '--json')).toEqual(own)
    expect((await run('tenants', '--data', folder)).out).toMatch(/^tenant +sessions +receipts\nacme /)
    expect((await run('tenants', 'list', '--url', url, '--token', 'token-of-acme')).err).toContain(
      'lacks the scope operator',
    )
    const refused = await run('tenants', 'delete', 'acme', '--yes', '--url', url, '--token', 'token-of-acme')
    expect(refused.err).toContain('lacks the scope operator')
    expect((await run('tenants', 'delete', 'acme', '--data', folder)).err).toContain('Add --yes')
    expect((await run('tenants', 'delete', '--data', folder)).err).toContain('NAME: is missing')
  })

  it('go with all that is kept of them, and every process forgets them', async () => {
    const [here, there] = gateways
    const url = here?.gateway.url ?? ''
    const made = await fetch(`${url}/v1/keys`, {
      method: 'POST',
      headers: { ...headersOf('token-of-house'), 'content-type': 'application/json' },
      body: JSON.stringify({ tenant: 'acme', name: needle }),
    })
    const { secret } = (await made.json()) as { secret: string }
    const asked = () => ask(there!, conversation(1), secret)
    expect(await asked()).toBe(200)

    const done = await run('tenants', 'delete', 'acme', '--yes', '--url', url, '--token', 'token-of-house', '--json')
    expect(JSON.parse(done.out)).toMatchObject({ tenant: 'acme', rows: { receipts: 3, keys: 1, audit: 1 } })
    expect(await asked()).toBe(401)
    expect(blobTexts().filter((text) => text.includes('acme'))).toEqual([])
    expect(blobTexts()).toHaveLength(2)
    expect((await store.read('names').tenants()).map(({ tenant }) => tenant)).toEqual(['globex'])
    expect(await store.read('audit').list({ tenant: '', order: 'newest', limit: 1 })).toMatchObject([
      { action: 'tenant.delete', target: 'acme', actor: 'house' },
    ])
    expect(await store.read('receipts').list('globex', { limit: 9 })).toHaveLength(2)
    // A token that is still configured begins anew.
    expect(await ask(there!, body, 'token-of-acme')).toBe(200)
    expect(await store.read('receipts').list('acme', { limit: 9 })).toHaveLength(1)
  })

  it('are deleted in a store that no gateway serves', async () => {
    const done = await run('tenants', 'delete', 'globex', '--yes', '--data', folder)
    expect(done).toMatchObject({ code: 0, out: expect.stringContaining('2 of receipts') })
    expect(blobTexts().filter((text) => text === `${needle} of globex`)).toEqual([])
    expect((await run('tenants', 'delete', 'globex', '--yes', '--data', folder)).out).toContain('there was nothing')
    expect(await run('audit', 'verify', '--data', folder)).toMatchObject({ code: 0 })
  })
})
