import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { exportStore, inProcessHot, memoryStore, sqlitePortable, sqliteStore } from '../../stores/index.ts'
import type { SealedKey, Store } from '../../stores/index.ts'
import { parseConfig } from '../index.ts'
import { chats, chatTurns } from './chats.fixture.ts'
import { keyConfig, keyTokens } from './keys.fixture.ts'
import { bodyOf, lookingAgain, says } from './hidden-exchanges.fixture.ts'
import { closeTenantGateways, installationKey, installationSecret, keysAt, tenantGateway } from './tenants.fixture.ts'
import type { TenantGateway } from './tenants.fixture.ts'
import { anHourMs, anthropicFixture, openaiFixture } from './test-gateway.fixture.ts'

afterEach(closeTenantGateways)

const { ops, boss, rival, agent } = keyTokens
const acmeKey = 'sk-acme-0123456789-abcd'
const rivalKey = 'sk-rival-0123456789-wxyz'
const minute = 60_000

const holders = { acme: boss, rival }

async function set(gateway: TenantGateway, tenant: keyof typeof holders, key: string, upstream = 'openai') {
  const token = holders[tenant]
  const answer = await gateway.as(token, 'PUT', `/v1/tenants/${tenant}/provider-keys/${upstream}`, { key })
  expect([answer.status, answer.message]).toEqual([200, ''])
  return answer.body
}

async function rowOf(store: Store, tenant: string, upstream = 'openai') {
  const row = await store.read('provider-keys').get(tenant, upstream)
  if (!row) throw new Error(`${tenant} has no key`)
  return row
}

/** As somebody would who can write the database. */
async function overwrite(store: Store, tenant: string, value: SealedKey, key = 'openai') {
  const revision = ((await store.read('provider-keys').get(tenant, key))?.revision ?? 0) + 1
  const writes = [{ table: 'provider-keys', key, revision, value } as const]
  await store.commit({ scope: { tenant, session: '' }, nowMs: 1, writes: [...writes, stamp()] })
}

let stamps = 0
const stamp = () => ({ table: 'values', key: 'tenants/changed', value: `test ${(stamps += 1)}` }) as const

const flipped = (text: string): string => {
  const bytes = Buffer.from(text, 'base64')
  bytes[bytes.length - 20]! ^= 1
  return bytes.toString('base64')
}

describe("a tenant's key for a provider", () => {
  it('goes with the requests of that tenant and of no other, as soon as it is set', async () => {
    const gateway = await tenantGateway()
    await gateway.ask(boss)
    await set(gateway, 'acme', acmeKey)
    await gateway.ask(boss)
    await gateway.ask(agent)
    await gateway.ask(rival)
    await set(gateway, 'rival', rivalKey)
    await gateway.ask(rival)
    await gateway.ask(boss)
    expect(keysAt(gateway.provider)).toEqual([installationKey, acmeKey, acmeKey, installationKey, rivalKey, acmeKey])
    const dropped = await gateway.as(boss, 'DELETE', '/v1/tenants/acme/provider-keys/openai')
    expect([dropped.status, dropped.body]).toEqual([200, expect.objectContaining({ state: 'ready', lastFour: 'abcd' })])
    await gateway.ask(boss)
    expect(keysAt(gateway.provider).at(-1)).toBe(installationKey)
    expect((await gateway.as(boss, 'DELETE', '/v1/tenants/acme/provider-keys/openai')).status).toBe(404)
  })

  it('is never shown again, and stands in no log, audit entry, export or error', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'prehend-provider-keys-')), 'store.sqlite')
    const gateway = await tenantGateway({ store: sqliteStore({ path }) })
    const made = await set(gateway, 'acme', acmeKey)
    expect(made).toEqual({
      tenant: 'acme',
      upstream: 'openai',
      prefix: 'sk-a',
      lastFour: 'abcd',
      setMs: gateway.clock.now(),
      revision: 1,
      wrappedBy: expect.stringMatching(/^secret:[0-9a-f]{16}$/) as string,
      isCurrent: true,
      state: 'ready',
    })
    const listed = await gateway.as(boss, 'GET', '/v1/tenants/acme/provider-keys')
    expect(listed.body.data).toEqual([made])
    await gateway.ask(boss)
    const entries = await gateway.store.read('audit').list({ tenant: 'acme', order: 'chain', limit: 9 })
    expect(entries.map(({ actor, action, target }) => [actor, action, target])).toEqual([
      ['boss', 'provider-key.set', 'openai'],
    ])
    let whole = ''
    await exportStore(sqlitePortable(path), {
      version: '1',
      write: (piece) => void (whole += piece),
    })
    expect(whole).toContain((await rowOf(gateway.store, 'acme')).value.sealed)
    for (const text of [whole, JSON.stringify([gateway.log, entries, listed.body])]) {
      expect(text).not.toContain(acmeKey.slice(4, -4))
      expect(text).not.toContain(installationSecret)
    }
    const refused = await gateway.as(boss, 'PUT', '/v1/tenants/acme/provider-keys/openai', { key: 'with a\nbreak' })
    expect([refused.status, refused.message]).toEqual([400, expect.stringMatching(/^body\.key: (?!.*with a)/)])
    const short = await set(gateway, 'acme', 'sk-short-key', 'anthropic')
    expect(short).toMatchObject({ prefix: '', lastFour: '' })
  })

  it('is managed by admins of the tenant and by operators', async () => {
    const gateway = await tenantGateway()
    const path = '/v1/tenants/acme/provider-keys'
    expect((await gateway.as(agent, 'GET', path)).status).toBe(403)
    expect((await gateway.as(agent, 'PUT', `${path}/openai`, { key: acmeKey })).status).toBe(403)
    for (const [method, at, body] of [
      ['GET', path, undefined],
      ['PUT', `${path}/openai`, { key: rivalKey }],
      ['DELETE', `${path}/openai`, undefined],
    ] as const)
      expect((await gateway.as(rival, method, at, body)).status).toBe(404)
    expect(await gateway.store.read('provider-keys').list()).toEqual([])
    expect((await gateway.as(boss, 'POST', '/v1/provider-keys/rewrap')).status).toBe(403)
    expect((await gateway.as(ops, 'PUT', `${path}/openai`, { key: acmeKey })).status).toBe(200)
    const unknown = await gateway.as(boss, 'PUT', `${path}/nowhere`, { key: acmeKey })
    expect([unknown.status, unknown.message]).toEqual([400, expect.stringContaining('nothing is known of nowhere')])
  })

  it('goes with streams, hidden rounds, summaries, refreshes of the cache and models that stand in', async () => {
    const policy = {
      id: 'short-chats',
      version: '1.0.0',
      extends: 'careful',
      sections: [{ section: 'history', max: 2000 }],
      summaries: { writer: 'model', recall: 'required' },
    }
    const gateway = await tenantGateway({
      config: { policy, summaries: { model: 'gpt-4o-mini' }, fallbacks: { 'gpt-4.1': ['gpt-4.1-mini'] } },
      script: ({ body, json }) => {
        if (json?.['model'] === 'gpt-4.1') return { fault: { kind: 'error' as const, status: 503 } }
        return body.includes('You summarise a part') ? 'They went through one topic after the other.' : 'Understood.'
      },
    })
    await set(gateway, 'acme', acmeKey)
    await set(gateway, 'acme', acmeKey, 'anthropic')
    const sent = (body: object, path = '/v1/chat/completions') =>
      fetch(gateway.url + path, {
        method: 'POST',
        headers: { 'authorization': `Bearer ${boss}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }).then((response) => response.text())
    const hello = [{ role: 'user', content: 'Hello' }]
    await sent({ model: 'gpt-5.1', stream: true, messages: hello })
    await sent({ model: 'gpt-4.1', messages: hello })
    expect(gateway.provider.requests.map(({ json }) => json?.['model'])).toContain('gpt-4.1-mini')
    await chats[0]?.ask(gateway, chatTurns(24), boss)
    await expect
      .poll(() => gateway.provider.requests.filter(({ body }) => body.includes('You summarise a part')).length)
      .toBeGreaterThan(0)
    for (const [index, silence] of [0, 10, 10, 10].entries()) {
      await gateway.clock.advance(silence * minute)
      await sent(anthropicFixture.body(index + 1), '/v1/messages')
    }
    expect(gateway.provider.requests.some(({ json }) => json?.['max_tokens'] === 0)).toBe(true)
    expect(new Set(keysAt(gateway.provider))).toEqual(new Set([acmeKey]))
  })

  it('goes with hidden rounds', async () => {
    const gateway = await tenantGateway({ script: lookingAgain([says('It says so.')]), config: { policy: 'thrifty' } })
    await set(gateway, 'acme', acmeKey)
    for (const results of [7, 8, 9]) {
      const answer = await gateway.as(boss, 'POST', '/v1/chat/completions', bodyOf({ fixture: openaiFixture }, results))
      expect([answer.status, answer.message]).toEqual([200, ''])
      await gateway.clock.advance(anHourMs)
    }
    expect(keysAt(gateway.provider)).toEqual(Array.from({ length: 4 }, () => acmeKey))
  })

  it('is heard of by every process on the store within a second', async () => {
    const [store, hot] = [memoryStore(), inProcessHot()]
    const one = await tenantGateway({ store, hot })
    const other = await tenantGateway({ store, hot, provider: one.provider })
    await set(one, 'acme', acmeKey)
    const started = performance.now()
    await expect
      .poll(async () => {
        await other.ask(boss)
        return keysAt(one.provider).at(-1)
      })
      .toBe(acmeKey)
    expect(performance.now() - started).toBeLessThan(1000)
    const late = await tenantGateway({ store, hot: inProcessHot(), provider: one.provider })
    await late.ask(boss)
    expect(keysAt(one.provider).at(-1)).toBe(acmeKey)
  })

  it('goes with its tenant, in the store and in the process', async () => {
    const gateway = await tenantGateway()
    await set(gateway, 'acme', acmeKey)
    await set(gateway, 'rival', rivalKey)
    const deleted = await gateway.as(ops, 'DELETE', '/v1/tenants/acme')
    expect(deleted.body).toMatchObject({ rows: { 'provider-keys': 1 } })
    expect((await gateway.store.read('provider-keys').list()).map(({ tenant }) => tenant)).toEqual(['rival'])
    await gateway.ask(boss)
    expect(keysAt(gateway.provider)).toEqual([installationKey])
  })
})

describe('a key that cannot be read', () => {
  const cases: readonly (readonly [string, (store: Store) => Promise<void>])[] = [
    [
      'one bit was flipped',
      async (store) => {
        const { value } = await rowOf(store, 'acme')
        await overwrite(store, 'acme', { ...value, sealed: flipped(value.sealed) })
      },
    ],
    [
      'it was copied from another tenant',
      async (store) => {
        await overwrite(store, 'acme', (await rowOf(store, 'rival')).value)
      },
    ],
    [
      'it was copied from another upstream',
      async (store) => {
        await overwrite(store, 'acme', (await rowOf(store, 'acme', 'anthropic')).value)
      },
    ],
    [
      'it says that it is another version',
      async (store) => {
        await overwrite(store, 'acme', { ...(await rowOf(store, 'acme')).value, version: 'other' })
      },
    ],
    [
      'its data key was changed',
      async (store) => {
        const { value } = await rowOf(store, 'acme')
        const [by, id, text = ''] = value.dataKey.split(':')
        await overwrite(store, 'acme', { ...value, dataKey: [by, id, flipped(text)].join(':') })
      },
    ],
  ]

  it.each(cases)('because %s is one clear error, and no other key goes out', async (_, tamper) => {
    const [store, hot] = [memoryStore(), inProcessHot()]
    const gateway = await tenantGateway({ store, hot })
    await set(gateway, 'acme', acmeKey)
    await set(gateway, 'acme', 'sk-other-0123456789', 'anthropic')
    await set(gateway, 'rival', rivalKey)
    await tamper(store)
    await hot.publish('tenants changed', '')
    await expect.poll(async () => (await gateway.ask(boss)).status).toBe(503)
    const before = gateway.provider.requests.length
    const { message } = await gateway.ask(boss)
    expect(message).toContain(
      'The key of the tenant acme for openai cannot be read, and no other is used in its place.',
    )
    expect(gateway.provider.requests).toHaveLength(before)
    expect((await gateway.ask(rival)).status).toBe(200)
    expect(keysAt(gateway.provider).at(-1)).toBe(rivalKey)
    const [shown] = (await gateway.as(boss, 'GET', '/v1/tenants/acme/provider-keys')).body.data.slice(-1)
    expect(shown).toMatchObject({ upstream: 'openai', state: 'unreadable' })
    await set(gateway, 'acme', acmeKey)
    expect((await gateway.ask(boss)).status).toBe(200)
    expect(keysAt(gateway.provider).at(-1)).toBe(acmeKey)
  })

  it('with another secret refuses the tenant, and falls back only where the configuration says so', async () => {
    const store = memoryStore()
    const first = await tenantGateway({ store })
    await set(first, 'acme', acmeKey)
    await set(first, 'acme', acmeKey, 'groq')
    const secret = 'another-secret-of-the-installation-012345'
    const wrong = await tenantGateway({ store, config: { providerKeys: { secret } } })
    const refused = await wrong.ask(boss)
    expect([refused.status, refused.message]).toEqual([503, expect.stringContaining('cannot be read')])
    // Of an upstream that only this tenant has, too: the request goes to no other in its place.
    expect((await wrong.ask(boss, 'groq/llama-3.3-70b-versatile')).status).toBe(503)
    expect((await wrong.ask(rival)).status).toBe(200)
    expect(keysAt(wrong.provider)).toEqual([installationKey])
    expect(
      wrong.log.filter(({ event }) => event === 'provider-key-unread').map(({ fields }) => fields['reason']),
    ).toEqual([
      expect.stringContaining('A key was encrypted by another secret'),
      expect.stringContaining('A key was encrypted by another secret'),
    ])
    const open = await tenantGateway({ store, config: { providerKeys: { secret, fallBack: true } } })
    expect((await open.ask(boss)).status).toBe(200)
    expect(keysAt(open.provider)).toEqual([installationKey])
  })

  it('without a secret nothing is stored, and the error says what to set', async () => {
    const gateway = await tenantGateway({ config: { providerKeys: undefined } })
    const answer = await gateway.as(boss, 'PUT', '/v1/tenants/acme/provider-keys/openai', { key: acmeKey })
    expect([answer.status, answer.message]).toEqual([503, expect.stringContaining('Set providerKeys.secret')])
    expect(await gateway.store.read('provider-keys').list()).toEqual([])
  })
})

describe('a new secret of the installation', () => {
  it('reads by the one before, wraps the data keys anew, and needs that one no longer', async () => {
    const store = memoryStore()
    const old = await tenantGateway({ store })
    await set(old, 'acme', acmeKey)
    await set(old, 'rival', rivalKey)
    const before = await rowOf(store, 'acme')
    expect((await rowOf(store, 'rival')).value.dataKey).toBe(before.value.dataKey)
    const secret = 'another-secret-of-the-installation-012345'
    const both = await tenantGateway({
      store,
      config: { providerKeys: { secret, previousSecrets: [installationSecret] } },
    })
    await both.ask(boss)
    const told = async (): Promise<Readonly<Record<string, unknown>>> =>
      (await both.as(ops, 'GET', '/v1/tenants/acme/provider-keys')).body.data[0]!
    const wrappedBefore = await told()
    expect(wrappedBefore).toMatchObject({ isCurrent: false })
    const rewrapped = await both.as(ops, 'POST', '/v1/provider-keys/rewrap')
    const wrappedAfter = await told()
    expect(wrappedAfter).toMatchObject({ isCurrent: true })
    expect(wrappedAfter['wrappedBy']).not.toBe(wrappedBefore['wrappedBy'])
    expect(rewrapped.body).toEqual({ rewrapped: 2, current: 0, unreadable: [] })
    expect((await both.as(ops, 'POST', '/v1/provider-keys/rewrap')).body).toEqual({
      rewrapped: 0,
      current: 2,
      unreadable: [],
    })
    const after = await rowOf(store, 'acme')
    expect([after.revision, after.value.sealed, after.value.version]).toEqual([
      2,
      before.value.sealed,
      before.value.version,
    ])
    const fresh = await tenantGateway({ store, config: { providerKeys: { secret } } })
    await fresh.ask(boss)
    await fresh.ask(rival)
    expect([keysAt(both.provider), keysAt(fresh.provider)]).toEqual([[acmeKey], [acmeKey, rivalKey]])
    const actions = await store.read('audit').list({ tenant: 'acme', order: 'chain', limit: 9 })
    expect(actions.map(({ action }) => action)).toEqual(['provider-key.set', 'provider-key.rewrap'])
  })

  it('in the configuration is long enough, and stands alone', () => {
    expect(() => parseConfig({ providerKeys: { secret: 'short' } })).toThrow('providerKeys.secret')
    const both = { ...keyConfig, providerKeys: { secret: installationSecret, command: ['wrap-it'] } }
    expect(() => parseConfig(both)).toThrow('providerKeys.command: is beside a secret')
  })
})
