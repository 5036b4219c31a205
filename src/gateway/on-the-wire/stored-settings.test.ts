import { afterEach, describe, expect, it } from 'vitest'
import { inProcessHot, memoryStore } from '../../stores/index.ts'
import { parseConfig } from '../index.ts'
import { keyConfig, keyTokens } from './keys.fixture.ts'
import { closeTenantGateways, installationKey, keysAt, tenantGateway } from './tenants.fixture.ts'
import type { TenantGateway } from './tenants.fixture.ts'

afterEach(closeTenantGateways)

const { ops, boss, rival, agent } = keyTokens
const path = '/v1/tenants/acme/settings'

async function put(gateway: TenantGateway, settings: object, query = '') {
  const answer = await gateway.as(ops, 'PUT', path + query, settings)
  expect([answer.status, answer.message]).toEqual([200, ''])
  return answer.body
}

describe('settings of a tenant in the store', () => {
  it('are in force when the answer comes, for that tenant alone, and go before the file and before all', async () => {
    const tenants = { acme: { allowedModels: ['gpt-*'], limits: { bodyBytes: 100_000 } } }
    const gateway = await tenantGateway({ config: { tenants, aliases: { fast: 'gpt-4.1-mini' } } })
    expect((await gateway.as(boss, 'GET', path)).body).toEqual({
      tenant: 'acme',
      revision: 0,
      inForce: 0,
      settings: {},
    })
    expect((await gateway.ask(boss, 'o3')).status).toBe(403)
    const settings = { allowedModels: ['o3'], aliases: { smart: 'o3' } }
    const made = await put(gateway, settings)
    expect(made).toEqual({ tenant: 'acme', revision: 1, inForce: 1, settings, writtenMs: gateway.clock.now() })
    expect((await gateway.ask(boss, 'o3')).status).toBe(200)
    expect((await gateway.ask(boss, 'smart')).status).toBe(200)
    expect((await gateway.ask(boss, 'gpt-4.1')).status).toBe(403)
    expect((await gateway.ask(rival, 'gpt-4.1')).status).toBe(200)
    // What the file says beside that stays: a body of 200,000 bytes is still too large.
    const large = { model: 'o3', messages: [{ role: 'user', content: 'x'.repeat(200_000) }] }
    expect((await gateway.as(boss, 'POST', '/v1/chat/completions', large)).status).toBe(413)
    await put(gateway, { ...settings, limits: { bodyBytes: 300_000 } })
    expect((await gateway.as(boss, 'POST', '/v1/chat/completions', large)).status).toBe(200)
    const dropped = await gateway.as(ops, 'DELETE', path)
    expect(dropped.body).toEqual({ tenant: 'acme', revision: 0, inForce: 0, settings: {} })
    expect((await gateway.ask(boss, 'o3')).status).toBe(403)
    expect((await gateway.as(ops, 'DELETE', path)).status).toBe(404)
  })

  it('are in force on every process within a second, and on one that starts later', async () => {
    const [store, hot] = [memoryStore(), inProcessHot()]
    const one = await tenantGateway({ store, hot })
    const other = await tenantGateway({ store, hot })
    const started = performance.now()
    await put(one, { allowedModels: ['o3'] })
    await expect.poll(async () => (await other.ask(boss)).status).toBe(403)
    expect(performance.now() - started).toBeLessThan(1000)
    expect((await other.as(boss, 'GET', path)).body).toMatchObject({ revision: 1, inForce: 1 })
    const late = await tenantGateway({ store })
    expect((await late.ask(boss)).status).toBe(403)
    await other.as(ops, 'DELETE', path)
    await expect.poll(async () => (await one.ask(boss)).status).toBe(200)
  })

  it('reach processes that share the store alone, which look for them', async () => {
    const store = memoryStore()
    const one = await tenantGateway({ store })
    const other = await tenantGateway({ store, hot: inProcessHot() })
    await put(one, { allowedModels: ['o3'] })
    await expect.poll(async () => (await other.ask(boss)).status, { timeout: 9000, interval: 200 }).toBe(403)
  }, 12_000)

  it('let requests under way end as they began', async () => {
    let release = (): void => undefined
    const held = new Promise<void>((done) => (release = done))
    const gateway = await tenantGateway({ script: () => held.then(() => 'done') as never })
    const asked = gateway.ask(boss)
    await expect.poll(() => gateway.provider.requests.length).toBe(1)
    await put(gateway, { allowedModels: ['o3'] })
    expect((await gateway.ask(boss)).status).toBe(403)
    release()
    expect((await asked).status).toBe(200)
  })

  it('cover budgets, providers, policies and figures of policies', async () => {
    const gateway = await tenantGateway()
    await put(gateway, {
      budgets: { requestsPerDay: 1 },
      policy: 'thrifty',
      metadata: { epochs_keep_full: 3 },
      upstreams: { openai: { models: ['gpt-*'] } },
    })
    expect((await gateway.ask(boss)).status).toBe(200)
    expect((await gateway.ask(boss)).status).toBe(429)
    expect(keysAt(gateway.provider)).toEqual([installationKey])
    await put(gateway, { policy: 'thrifty' })
    expect((await gateway.ask(boss)).status).toBe(200)
    const [receipt] = await gateway.store.read('receipts').list('acme', { limit: 1 })
    expect(receipt).toMatchObject({ policyId: 'thrifty' })
  })

  it.each([
    [{ nothing: 1 }, 'nothing: is not known'],
    [{ limits: { bodyBites: 1 } }, 'limits.bodyBites'],
    [{ policy: 'no-such-policy' }, 'no-such-policy'],
    [{ metadata: { no_such_figure: 1 } }, 'no_such_figure'],
    [{ upstreams: { openai: { apiKey: 'sk-hidden-in-settings' } } }, 'upstreams.openai.apiKey: is a secret'],
    [{ upstreams: { mine: {} } }, 'tenants.acme.upstreams.mine.baseUrl: is needed'],
    [{ allowedUpstreams: ['nowhere'] }, 'there is no upstream nowhere'],
    [{ retention: { receiptDays: 9999 } }, 'receiptDays'],
  ])('are refused where they are wrong: %j', async (settings, problem) => {
    const gateway = await tenantGateway()
    const answer = await gateway.as(ops, 'PUT', path, settings)
    expect([answer.status, answer.message]).toEqual([400, expect.stringContaining(problem)])
    expect(answer.message).not.toContain('sk-hidden')
    expect(await gateway.store.read('tenant-settings').list()).toEqual([])
    expect(await gateway.store.read('audit').list({ tenant: 'acme', order: 'chain', limit: 9 })).toEqual([])
  })

  it('are changed by operators, and read by admins of the tenant', async () => {
    const gateway = await tenantGateway()
    for (const method of ['PUT', 'DELETE']) expect((await gateway.as(boss, method, path, {})).status).toBe(403)
    expect((await gateway.as(agent, 'GET', path)).status).toBe(403)
    expect((await gateway.as(rival, 'GET', path)).status).toBe(404)
    expect((await gateway.as(ops, 'GET', path)).status).toBe(200)
  })

  it('have a revision: of two who change them, the second is told', async () => {
    const gateway = await tenantGateway()
    expect(await put(gateway, { repairs: 1 }, '?revision=0')).toMatchObject({ revision: 1 })
    const late = await gateway.as(ops, 'PUT', `${path}?revision=0`, { repairs: 3 })
    expect([late.status, late.message]).toEqual([409, expect.stringContaining('they have revision 1')])
    expect(await put(gateway, { repairs: 3 }, '?revision=1')).toMatchObject({ revision: 2, inForce: 2 })
    const both = await Promise.all([4, 5].map((repairs) => gateway.as(ops, 'PUT', `${path}?revision=2`, { repairs })))
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
  })

  it('leave an audit entry that names what changed, without values', async () => {
    const gateway = await tenantGateway()
    await put(gateway, { repairs: 1, limits: { bodyBytes: 5000 }, aliases: { fast: 'gpt-4.1-mini' } })
    await put(gateway, { repairs: 2, limits: { bodyBytes: 5000, collectMs: 77 } })
    await gateway.as(ops, 'DELETE', path)
    const entries = await gateway.store.read('audit').list({ tenant: 'acme', order: 'chain', limit: 9 })
    expect(entries.map(({ actor, action, target }) => [actor, action, target])).toEqual([
      ['ops', 'settings.change', 'settings: added aliases.fast, limits.bodyBytes, repairs'],
      ['ops', 'settings.change', 'settings: added limits.collectMs; changed repairs; removed aliases.fast'],
      ['ops', 'settings.remove', 'settings: removed limits.bodyBytes, limits.collectMs, repairs'],
    ])
    expect(entries[1]?.beforeHash).toBe(entries[0]?.afterHash)
    expect(entries[2]).not.toHaveProperty('afterHash')
  })

  it('that no longer go with the configuration are named at the start and at a reload', async () => {
    const store = memoryStore()
    const policies = [{ id: 'mine', version: '1.0.0', extends: 'careful' }]
    const gateway = await tenantGateway({ store, config: { policies } })
    await put(gateway, { policy: 'mine' })
    await expect(tenantGateway({ store })).rejects.toThrow(/mine/)
    const without = parseConfig({ port: 0, ...keyConfig })
    await expect(gateway.gateway.reload(without)).rejects.toThrow(/mine/)
    expect((await gateway.ask(boss)).status).toBe(200)
  })

  it('stay through a reload, and go with their tenant', async () => {
    const gateway = await tenantGateway()
    await put(gateway, { allowedModels: ['o3'] })
    await gateway.gateway.reload(parseConfig({ port: 0, ...keyConfig }))
    expect((await gateway.ask(boss)).status).toBe(403)
    const deleted = await gateway.as(ops, 'DELETE', '/v1/tenants/acme')
    expect(deleted.body).toMatchObject({ rows: { 'tenant-settings': 1 } })
    expect((await gateway.as(ops, 'GET', path)).body).toMatchObject({ revision: 0, inForce: 0 })
    expect((await gateway.ask(boss)).status).toBe(200)
  })

  it('change a hundred times in turn, each in force when it is answered, and leave nothing behind', async () => {
    const gateway = await tenantGateway()
    const started = performance.now()
    for (let at = 1; at <= 100; at += 1) await put(gateway, { limits: { bodyBytes: 2000 + at } })
    expect((performance.now() - started) / 100).toBeLessThan(250)
    expect((await gateway.as(ops, 'GET', path)).body).toMatchObject({ revision: 100, inForce: 100 })
    expect((await gateway.ask(boss)).status).toBe(200)
  })
})
