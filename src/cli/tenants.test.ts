import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
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
const hot = inProcessHot({ clock: Date.now })
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

    const metricsOf = async ({ gateway }: SimulatedGateway): Promise<string> =>
      (await fetch(`${gateway.url}/metrics`, { headers: headersOf('token-of-house') })).text()
    expect(await metricsOf(there!)).toContain('tenant="acme"')
    for (const tenant of ['acme', 'globex']) await hot.announce(tenant, { owner: 'one', ownerMs: 1, graceMs: 0 }, [])

    const done = await run('tenants', 'delete', 'acme', '--yes', '--url', url, '--token', 'token-of-house', '--json')
    expect(JSON.parse(done.out)).toMatchObject({ tenant: 'acme', rows: { receipts: 3, keys: 1, audit: 1 } })
    expect(await hot.ledger('acme')).toBeUndefined()
    expect(await hot.ledger('globex')).toBeDefined()
    for (const gateway of gateways) {
      await expect.poll(() => metricsOf(gateway)).not.toContain('tenant="acme"')
      expect(await metricsOf(gateway)).toContain('tenant="globex"')
    }
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

  it('have settings that are stored, shown and removed, by the gateway and by the store', async () => {
    const [here, there] = gateways
    const file = join(folder, 'globex.json')
    for (const place of [
      ['--url', here!.gateway.url, '--token', 'token-of-house'],
      ['--data', folder],
    ]) {
      const status = () => ask(there!, conversation(1), 'token-of-globex')
      writeFileSync(file, JSON.stringify({ allowedModels: ['nothing-else'] }))
      const set = await run('tenants', 'set', 'globex', file, ...place)
      expect(set).toMatchObject({ code: 0, out: 'The settings of globex are stored, revision 1.\n' })
      await expect.poll(status, { timeout: 9000, interval: 300 }).toBe(403)
      const shown = await run('tenants', 'settings', 'globex', ...place)
      expect(JSON.parse(shown.out)).toEqual({ allowedModels: ['nothing-else'] })
      const late = await run('tenants', 'set', 'globex', file, '--revision', '0', ...place)
      expect([late.code, late.err]).toEqual([7, expect.stringContaining('they have revision 1')])
      writeFileSync(file, JSON.stringify({ allowedModel: [] }))
      const wrong = await run('tenants', 'set', 'globex', file, ...place)
      expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('allowedModel')])
      expect((await run('tenants', 'reset', 'globex', ...place)).out).toBe('The settings of globex are removed.\n')
      await expect.poll(status, { timeout: 9000, interval: 300 }).toBe(200)
    }
    const config = join(folder, 'gateway.json')
    writeFileSync(config, JSON.stringify({ upstreams: { openai: {} } }))
    writeFileSync(file, JSON.stringify({ allowedUpstreams: ['nowhere'] }))
    const alone = await run('tenants', 'set', 'globex', file, '--data', folder, '--config', config)
    expect([alone.code, alone.err]).toEqual([2, expect.stringContaining('there is no upstream nowhere')])
  }, 40_000)

  it('are deleted in a store that no gateway serves, with the bytes that an extension keeps', async () => {
    const module = join(folder, 'notes.mjs')
    writeFileSync(module, `export default { name: 'notes', specificationVersion: 1, open: async () => ({}) }`)
    const elsewhere = join(folder, 'elsewhere')
    await folderBlobs(elsewhere).put('globex', Buffer.from(needle))
    await folderBlobs(elsewhere).put('house', Buffer.from(needle))
    const other = await run('tenants', 'delete', 'globex', '--yes', '--data', folder, '--blobs', elsewhere)
    expect(other).toMatchObject({ code: 0, out: expect.stringContaining('of receipts') })
    const left = readdirSync(elsewhere, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
    expect(left).toHaveLength(1)
    const done = await run('tenants', 'delete', 'globex', '--yes', '--data', folder, '--extension', module)
    expect(done.code).toBe(0)
    expect(blobTexts().filter((text) => text.includes('globex'))).toEqual([])
    expect((await run('tenants', 'delete', 'globex', '--yes', '--data', folder)).out).toContain('there was nothing')
    expect(await run('audit', 'verify', '--data', folder)).toMatchObject({ code: 0 })
  })
})
