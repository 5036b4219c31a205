import { afterEach, describe, expect, it } from 'vitest'
import { noChains, readEntry } from '../../stores/index.ts'
import type { AuditEntry } from '../../stores/index.ts'
import { problemsOf, publishedDocument } from './document.fixture.ts'
import { sdkWays } from './four-dialects.fixture.ts'
import { keyConfig, keyGateway, keyTokens } from './keys.fixture.ts'
import type { KeyGateway } from './keys.fixture.ts'
import { closeSocketGateways, plainServer } from './socket-gateway.fixture.ts'
import { anthropicFixture, closeTestGateways, openaiFixture, testGateway } from './test-gateway.fixture.ts'
import { closeThreadedGateways, threadedGateway } from './threads.fixture.ts'

afterEach(closeTestGateways)
afterEach(closeThreadedGateways)
afterEach(closeSocketGateways)

const { ops, boss, rival, agent } = keyTokens
const dayMs = 86_400_000

async function made(gateway: KeyGateway, more: object = {}, token: string = boss) {
  const { status, body, message } = await gateway.as(token, 'POST', '/v1/keys', { name: 'ci', ...more })
  expect([status, message]).toEqual([201, ''])
  return body
}

describe('a virtual key', () => {
  it('is a principal of its own: its tenant, its id, its team and its scopes', async () => {
    const gateway = await keyGateway()
    const key = await made(gateway, { team: 'build', user: 'robot' })
    expect(key.secret).toMatch(/^phd_[\w-]{43}$/)
    expect(key).toMatchObject({
      tenant: 'acme',
      prefix: key.secret.slice(0, 10),
      scopes: ['inference'],
      state: 'active',
    })
    expect((await gateway.ask(key.secret)).status).toBe(200)
    const [receipt] = await gateway.store.read('receipts').list('acme', { limit: 1 })
    expect(receipt).toBeDefined()
    const used = await gateway.as(boss, 'GET', `/v1/keys/${key.id}`)
    expect(used.body).toMatchObject({ lastUsedMs: gateway.clock.now() })
  })

  it('does what its scopes say and nothing else', async () => {
    const gateway = await keyGateway()
    const inference = await made(gateway)
    const reader = await made(gateway, { scopes: ['read'] })
    const admin = await made(gateway, { scopes: ['admin'] })
    const statuses = async (token: string) => [
      (await gateway.ask(token)).status,
      (await gateway.as(token, 'GET', '/v1/packs')).status,
      (await gateway.as(token, 'POST', '/v1/outcomes', { session: 'none', quality: 1 })).status,
      (await gateway.as(token, 'GET', '/v1/keys')).status,
      (await gateway.as(token, 'GET', '/v1/audit')).status,
    ]
    expect(await statuses(inference.secret)).toEqual([200, 403, 404, 403, 403])
    expect(await statuses(reader.secret)).toEqual([403, 200, 403, 403, 403])
    expect(await statuses(admin.secret)).toEqual([403, 403, 403, 200, 200])
    expect(await statuses(ops)).toEqual([403, 403, 403, 200, 200])
    expect(await statuses(agent)).toEqual([200, 200, 404, 403, 403])
    const { message } = await gateway.as(inference.secret, 'GET', '/v1/packs')
    expect(message).toBe(`${inference.id} lacks the scope read. Use a key or token with the scope read.`)
  })

  it('stands in the lines of the log with its tenant, team and model, and a 429 with its limit', async () => {
    const gateway = await keyGateway()
    const key = await made(gateway, { team: 'build', budgets: { requestsPerDay: 1 } })
    for (const status of [200, 429]) expect((await gateway.ask(key.secret)).status).toBe(status)
    const who = { tenant: 'acme', keyId: key.id, team: 'build', model: 'gpt-5.1' }
    const lines = gateway.log.filter(({ event }) => event === 'request' || event === 'refused')
    expect(lines.map(({ fields }) => fields)).toMatchObject([
      who,
      { ...who, limit: `requestsPerDay of the key ${key.id}` },
    ])
    expect(JSON.stringify(lines)).not.toContain('Hello')
  })

  it('is made with an entry of the audit log that says in clear what it may do', async () => {
    const gateway = await keyGateway()
    const key = await made(gateway, {
      scopes: ['inference', 'read'],
      allowedModels: ['gpt-*'],
      allowedRoutes: ['POST /v1/messages', 'stateless'],
      budgets: { usdPerDay: 5 },
    })
    const { body } = await gateway.as(boss, 'GET', '/v1/audit?limit=1')
    expect(JSON.stringify(body.data)).toContain(
      `"target":"${key.id}; scopes inference read; models gpt-*; routes POST /v1/messages, stateless; budgets usdPerDay=5"`,
    )
  })

  it('has its cost counted by team, key and user, and its user is in log and receipt', async () => {
    const gateway = await keyGateway()
    const key = await made(gateway, { team: 'build', user: 'robot' })
    expect((await gateway.ask(key.secret)).status).toBe(200)
    await expect
      .poll(async () => (await gateway.as(ops, 'GET', '/v1/stats?by=tenant,team,key,user')).body.data)
      .toMatchObject([{ tenant: 'acme', team: 'build', key: key.id, user: 'robot', figures: { requests: 1 } }])
    expect(gateway.log).toContainEqual(
      expect.objectContaining({ fields: expect.objectContaining({ keyId: key.id, team: 'build', user: 'robot' }) }),
    )
    const { body } = await gateway.as(rival, 'GET', '/v1/stats?by=team')
    expect(body.data).toEqual([])
    expect((await gateway.as(rival, 'GET', '/v1/stats?by=teams')).message).toContain('team, key, user')
  })

  it('of an operator reads figures of all tenants, and no prompt', async () => {
    const gateway = await keyGateway()
    const key = await made(gateway, { budgets: { requestsPerDay: 2 } })
    expect((await gateway.ask(key.secret)).status).toBe(200)
    const { body: ofAll } = await gateway.as(ops, 'GET', '/v1/budgets?by=tenant')
    expect(ofAll).toMatchObject({ tenants: [{ tenant: 'acme', data: [{ limit: 'requestsPerDay', spent: 1 }] }] })
    const { body: ofRival } = await gateway.as(rival, 'GET', '/v1/budgets?by=tenant')
    expect(ofRival).toEqual({ tenant: 'rival', data: [], tenants: [] })
    const budgets = await gateway.as(ops, 'GET', '/v1/budgets?tenant=acme')
    expect(budgets.body).toMatchObject({ tenant: 'acme', data: [{ name: key.id, limit: 'requestsPerDay', most: 2 }] })
    const { body } = await gateway.as(ops, 'GET', '/v1/stats?by=tenant')
    expect(JSON.stringify(body.data)).toContain('"tenant":"acme"')
    expect((await gateway.as(ops, 'GET', '/v1/health')).status).toBe(200)
    for (const path of ['packs', 'sessions', 'search?q=Hello', 'events', 'usage', 'policies'])
      expect((await gateway.as(ops, 'GET', `/v1/${path}`)).status).toBe(403)
  })

  it('never goes to a provider, also where a client brings a key of its own', async () => {
    const gateway = await keyGateway()
    const { secret } = await made(gateway)
    const headers = { 'content-type': 'application/json', 'x-api-key': secret, 'authorization': 'Bearer of-the-client' }
    const body = JSON.stringify({ model: 'gpt-5.1', messages: [{ role: 'user', content: 'Hello' }] })
    expect((await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body })).status).toBe(200)
    const open = await testGateway({ script: () => 'done' })
    await fetch(`${open.url}/v1/chat/completions`, { method: 'POST', headers, body })
    for (const { provider } of [gateway, open]) {
      expect(provider.requests).toHaveLength(1)
      expect(JSON.stringify(provider.requests)).not.toContain(secret.slice(4))
    }
    expect(JSON.stringify(gateway.log)).not.toContain(secret.slice(10))
  })

  it('stops on its process in the same instant when it is revoked, and says so to its holder', async () => {
    const gateway = await keyGateway()
    const key = await made(gateway)
    expect((await gateway.ask(key.secret)).status).toBe(200)
    const revoked = await gateway.as(boss, 'DELETE', `/v1/keys/${key.id}`)
    expect(revoked.body).toMatchObject({ state: 'revoked', revokedMs: gateway.clock.now() })
    const refused = await gateway.ask(key.secret)
    expect(refused.status).toBe(401)
    expect(refused.message).toContain(`The key ${key.secret.slice(0, 10)}… was revoked at 2026-11-21T00:00:00.000Z.`)
    const again = await gateway.as(boss, 'DELETE', `/v1/keys/${key.id}`)
    expect(again.body).toEqual(revoked.body)
    for (const [method, path] of [
      ['PATCH', ''],
      ['POST', '/rotate'],
    ] as const)
      expect((await gateway.as(boss, method, `/v1/keys/${key.id}${path}`, {})).status).toBe(409)
  })

  it('is found, changed, rotated and ended by an operator without its tenant, and by no admin of another', async () => {
    const gateway = await keyGateway()
    const key = await made(gateway)
    expect((await gateway.as(rival, 'DELETE', `/v1/keys/${key.id}`)).status).toBe(404)
    expect((await gateway.as(ops, 'GET', `/v1/keys/${key.id}`)).body).toMatchObject({ id: key.id, tenant: 'acme' })
    expect((await gateway.as(ops, 'PATCH', `/v1/keys/${key.id}`, { name: 'other' })).body.name).toBe('other')
    const { body: fresh } = await gateway.as(ops, 'POST', `/v1/keys/${key.id}/rotate`, { graceMs: 1000 })
    expect(fresh).toMatchObject({ tenant: 'acme', name: 'other' })
    for (const { id } of [key, fresh]) await gateway.as(ops, 'DELETE', `/v1/keys/${id}`)
    for (const { secret } of [key, fresh]) expect((await gateway.ask(secret)).status).toBe(401)
    const wrong = await gateway.as(ops, 'GET', `/v1/keys/${key.id}?tenant=globex`)
    expect([wrong.status, wrong.message]).toEqual([404, expect.stringContaining('one of the tenant acme')])
    expect((await gateway.as(ops, 'GET', '/v1/keys/key_of_nobody')).message).toContain('There is no such key.')
  })

  it('ends by the clock, and goes on when its end is moved', async () => {
    const gateway = await keyGateway()
    const expiresMs = gateway.clock.now() + dayMs
    const key = await made(gateway, { expiresMs })
    expect((await gateway.ask(key.secret)).status).toBe(200)
    await gateway.clock.advance(dayMs - 1)
    expect((await gateway.ask(key.secret)).status).toBe(200)
    await gateway.clock.advance(1)
    const refused = await gateway.ask(key.secret)
    expect([refused.status, refused.message]).toEqual([
      401,
      `The key ${key.secret.slice(0, 10)}… expired at 2026-11-22T00:00:00.000Z. Ask for another one.`,
    ])
    const past = await gateway.as(boss, 'PATCH', `/v1/keys/${key.id}`, { expiresMs })
    expect([past.status, past.message]).toEqual([400, expect.stringContaining('expiresMs: is in the past')])
    expect((await gateway.as(boss, 'PATCH', `/v1/keys/${key.id}`, { expiresMs: null })).body).not.toHaveProperty(
      'expiresMs',
    )
    expect((await gateway.ask(key.secret)).status).toBe(200)
  })

  it('may spend what its budgets say, also after a rotation, until they are changed', async () => {
    const gateway = await keyGateway()
    const { body: key } = await gateway.as(boss, 'POST', '/v1/keys', { name: 'k', budgets: { requestsPerDay: 2 } })
    expect((await gateway.ask(key.secret)).status).toBe(200)
    const { body: fresh } = await gateway.as(boss, 'POST', `/v1/keys/${key.id}/rotate`, {})
    expect((await gateway.ask(fresh.secret)).status).toBe(200)
    const refused = await gateway.ask(fresh.secret)
    expect([refused.status, refused.message]).toEqual([429, expect.stringContaining('requestsPerDay')])
    const { body: standing } = await gateway.as(boss, 'GET', '/v1/budgets')
    expect(standing.data).toMatchObject([
      { scope: 'key', name: key.id, limit: 'requestsPerDay', most: 2, spent: 2, reserved: 0, left: 0 },
    ])
    await gateway.as(boss, 'PATCH', `/v1/keys/${fresh.id}`, { budgets: { requestsPerDay: 3 } })
    expect((await gateway.ask(fresh.secret)).status).toBe(200)
    expect((await gateway.ask(fresh.secret)).status).toBe(429)
    await gateway.as(boss, 'PATCH', `/v1/keys/${fresh.id}`, { budgets: null })
    expect((await gateway.ask(fresh.secret)).status).toBe(200)
    const wrong = await gateway.as(boss, 'POST', '/v1/keys', { name: 'k', budgets: { usdPerDya: 1 } })
    expect([wrong.status, wrong.message]).toEqual([400, expect.stringContaining('budgets')])
  })

  it('that is rotated is good for its time of grace, and then names the new one', async () => {
    const gateway = await keyGateway()
    const old = await made(gateway, { team: 'build', allowedModels: ['gpt-*'] })
    const rotated = await gateway.as(boss, 'POST', `/v1/keys/${old.id}/rotate`, { graceMs: 1000 })
    expect(rotated.status).toBe(201)
    const fresh = rotated.body
    expect(fresh).toMatchObject({ name: 'ci', team: 'build', allowedModels: ['gpt-*'], state: 'active' })
    expect(fresh).toMatchObject({ replaced: { id: old.id, replacedBy: fresh.id, state: 'active' } })
    expect(fresh.id).not.toBe(old.id)
    await gateway.clock.advance(999)
    for (const { secret } of [old, fresh]) expect((await gateway.ask(secret)).status).toBe(200)
    expect((await gateway.as(boss, 'POST', `/v1/keys/${old.id}/rotate`)).status).toBe(409)
    await gateway.clock.advance(1)
    const refused = await gateway.ask(old.secret)
    expect([refused.status, refused.message]).toEqual([401, expect.stringContaining(`was replaced by ${fresh.id}`)])
    expect((await gateway.ask(fresh.secret)).status).toBe(200)
    const at = await gateway.as(boss, 'POST', `/v1/keys/${fresh.id}/rotate`)
    expect((await gateway.ask(fresh.secret)).status).toBe(401)
    expect((await gateway.ask(at.body.secret)).status).toBe(200)
  })

  it('that nobody made is answered as any unknown token', async () => {
    const gateway = await keyGateway()
    const { secret } = await made(gateway)
    const unknown = await gateway.ask(`phd_${'x'.repeat(43)}`)
    expect([unknown.status, unknown.message]).toEqual([401, (await gateway.ask('any-other-token')).message])
    expect((await gateway.ask(`${secret}x`)).status).toBe(401)
  })

  it('asks no store while it is known', async () => {
    const gateway = await keyGateway()
    const { secret } = await made(gateway)
    let reads = 0
    const { read } = gateway.store
    Object.assign(gateway.store, {
      read: (name: 'keys') => {
        if (name === 'keys') reads += 1
        return read(name)
      },
    })
    for (let asked = 0; asked < 20; asked += 1) expect((await gateway.ask(secret)).status).toBe(200)
    expect(reads).toBe(1)
  })
})

describe('the models of a key', () => {
  const models: Record<string, unknown> = {
    'gemini': 'gemini-2.5-pro',
    'anthropic-messages': anthropicFixture.body(0)['model'],
  }

  it.each(sdkWays)('hold in $name', async ({ dialect, stream }) => {
    const gateway = await keyGateway()
    const [own, foreign] = [await made(gateway), await made(gateway, { allowedModels: ['small-*', 'tiny'] })]
    const ask = (apiKey: string) => dialect.ask({ url: gateway.url, apiKey }, dialect.messages(0).slice(0, 2), stream)
    expect((await ask(own.secret)).text).toBe('done')
    const refused = await ask(foreign.secret).catch((error: unknown) => error as Error & { status: number })
    expect(refused).toMatchObject({ status: 403 })
    expect(String(refused)).toContain('It may use small-*, tiny.')
    expect(gateway.provider.requests).toHaveLength(1)
    const model = String(models[dialect.name] ?? 'gpt-5.1')
    await gateway.as(boss, 'PATCH', `/v1/keys/${foreign.id}`, { allowedModels: [`${model.slice(0, -1)}*`] })
    expect((await ask(foreign.secret)).text).toBe('done')
    await gateway.as(boss, 'PATCH', `/v1/keys/${foreign.id}`, { allowedModels: null })
    expect((await ask(foreign.secret)).text).toBe('done')
  })

  it('are those of its tenant at most, and its routes hold for conversations, too', async () => {
    const gateway = await keyGateway({ config: { tenants: { acme: { allowedModels: ['gpt-*'] } } } })
    const key = await made(gateway, { allowedModels: ['*'], allowedRoutes: ['POST /v1/chat/completions'] })
    expect((await gateway.ask(key.secret)).status).toBe(200)
    expect((await gateway.ask(key.secret, 'claude-opus-4-5')).message).toContain(
      'The tenant acme may not use the model',
    )
    const other = await gateway.as(key.secret, 'POST', '/v1/messages', { model: 'gpt-5.1', messages: [] })
    expect([other.status, other.message]).toEqual([
      403,
      'This key may not use POST /v1/messages. It may use POST /v1/chat/completions.',
    ])
  })
})

it('the models of a key hold on the threads that carry large requests', async () => {
  const url = await plainServer((request, response) => {
    request.resume().on('end', () => response.setHeader('content-type', 'application/json').end('{"choices":[]}'))
  })
  const gateway = await threadedGateway(url, keyConfig)
  const asked = async (token: string, path: string, body: unknown) => {
    const headers = { 'content-type': 'application/json', 'authorization': `Bearer ${token}` }
    const response = await fetch(gateway.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: response.status, text: await response.text() }
  }
  const answer = await asked(boss, '/v1/keys', { name: 'small', allowedModels: ['small-*'] })
  const { secret } = JSON.parse(answer.text) as { secret: string }
  const ask = (model: string) => asked(secret, openaiFixture.path, openaiFixture.body(2, { model }))
  // A large request has the thread started.
  const large = { model: 'small-one', messages: [], padding: 'a '.repeat(600_000), prehend: { mode: 'off' } }
  while (gateway.carried() === 0) expect((await asked(secret, openaiFixture.path, large)).status).toBe(200)
  const before = gateway.carried()
  expect((await ask('small-one')).status).toBe(200)
  const refused = await ask('gpt-5.1')
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('It may use small-*.')])
  await expect.poll(() => gateway.carried() - before).toBeGreaterThanOrEqual(2)
})

describe('keys of tenants', () => {
  it("are each tenant's own: another one's key does not exist", async () => {
    const gateway = await keyGateway()
    const key = await made(gateway)
    const path = `/v1/keys/${key.id}`
    const nothing = await gateway.as(rival, 'GET', '/v1/keys/key_of_nobody')
    for (const [method, at, body] of [
      ['GET', path],
      ['GET', `${path}?tenant=acme`],
      ['PATCH', path, { name: 'mine' }],
      ['POST', `${path}/rotate?tenant=acme`, {}],
      ['DELETE', path],
      ['DELETE', `${path}?tenant=acme`],
    ] as const) {
      const refused = await gateway.as(rival, method, at, body)
      expect([at, refused.status, refused.message.slice(0, 22)]).toEqual([at, 404, nothing.message.slice(0, 22)])
    }
    expect((await gateway.as(rival, 'GET', '/v1/keys')).body.data).toEqual([])
    for (const list of ['/v1/keys', '/v1/audit']) {
      const refused = await gateway.as(rival, 'GET', `${list}?tenant=acme`)
      expect([refused.status, refused.message]).toEqual([403, expect.stringContaining('Only an operator')])
    }
    expect((await gateway.as(rival, 'GET', '/v1/audit')).body.data).toEqual([])
    expect((await gateway.as(rival, 'POST', '/v1/keys', { name: 'x', tenant: 'acme' })).status).toBe(403)
    expect((await gateway.as(rival, 'POST', '/v1/keys', { name: 'x', scopes: ['operator'] })).status).toBe(403)
    expect((await gateway.ask(key.secret)).status).toBe(200)
    const mine = await made(gateway, {}, rival)
    expect((await gateway.ask(mine.secret)).status).toBe(200)
    expect(await gateway.store.read('receipts').list('acme', { limit: 9 })).toHaveLength(1)
    expect(await gateway.store.read('receipts').list('rival', { limit: 9 })).toHaveLength(1)
  })

  it('are all managed by an operator, also those of a tenant that the configuration does not know', async () => {
    const gateway = await keyGateway({ config: { tenants: { newcomer: { mode: 'off' } } } })
    const key = await made(gateway, { tenant: 'newcomer', scopes: ['inference', 'read'] }, ops)
    await made(gateway)
    expect((await gateway.ask(key.secret)).status).toBe(200)
    expect((await gateway.as(key.secret, 'GET', '/v1/packs')).status).toBe(200)
    const all = await gateway.as(ops, 'GET', '/v1/keys?limit=1')
    expect(all.body.data).toHaveLength(1)
    const rest = await gateway.as(ops, 'GET', `/v1/keys?limit=9&cursor=${String(all.body['next'])}`)
    expect([...all.body.data, ...rest.body.data].map(({ tenant }) => tenant)).toEqual(
      expect.arrayContaining(['acme', 'newcomer']),
    )
    expect(rest.body.data).toHaveLength(1)
    const { body } = await gateway.as(ops, 'GET', '/v1/keys?tenant=newcomer')
    expect(body.data.map(({ id }) => id)).toEqual([key.id])
    expect((await gateway.as(ops, 'DELETE', `/v1/keys/${key.id}?tenant=another`)).status).toBe(404)
    expect((await gateway.as(ops, 'DELETE', `/v1/keys/${key.id}?tenant=newcomer`)).status).toBe(200)
    expect((await gateway.ask(key.secret)).status).toBe(401)
  })

  it("an operator's key is changed by operators alone: whoever rotates it would get its scopes", async () => {
    const gateway = await keyGateway()
    const key = await made(gateway, { tenant: 'acme', scopes: ['operator'] }, ops)
    const path = `/v1/keys/${key.id}`
    for (const [method, at] of [
      ['POST', `${path}/rotate`],
      ['PATCH', path],
      ['DELETE', path],
    ] as const) {
      const refused = await gateway.as(boss, method, at, {})
      expect([refused.status, refused.message]).toEqual([403, expect.stringContaining("This key is an operator's.")])
    }
    expect((await gateway.as(key.secret, 'GET', '/v1/keys?tenant=rival')).status).toBe(200)
    const changed = await gateway.as(key.secret, 'PATCH', path, { name: 'mine' })
    expect([changed.status, changed.body['name']]).toEqual([200, 'mine'])
  })

  it('say what is wrong with a body, and what to do', async () => {
    const gateway = await keyGateway()
    const problem = async (body: unknown, path = '/v1/keys') => (await gateway.as(boss, 'POST', path, body)).message
    expect(await problem({ name: '' })).toMatch(/^body\.name/)
    expect(await problem({ name: 'x', scope: ['read'] })).toContain('body.scope: is not known. Did you mean scopes?')
    expect(await problem({ name: 'x', scopes: ['write'] })).toMatch(/^body\.scopes\[0\].*inference/)
    expect(await problem({ name: 'x', allowedRoutes: ['anything'] })).toMatch(/^body\.allowedRoutes\[0\].*stateless/)
    expect(await problem({ name: 'x', expiresMs: 9e15 })).toMatch(/^body\.expiresMs/)
    expect(await problem({ name: 'x', expiresMs: 1 })).toContain('expiresMs: is in the past. Give a later time')
    const key = await made(gateway)
    expect(await problem({ graceMs: -1 }, `/v1/keys/${key.id}/rotate`)).toMatch(/^body\.graceMs/)
    const scopes = await gateway.as(boss, 'PATCH', `/v1/keys/${key.id}`, { scopes: ['admin'] })
    expect(scopes.message).toContain('body.scopes: is not known')
  })

  it('are not made where a gateway asks nobody for a token', async () => {
    const gateway = await testGateway()
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${gateway.url}/v1/keys`, { method: 'POST', headers, body: '{"name":"x"}' })
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('--token')])
  })

  it('are answered as published, and without secrets or hashes', async () => {
    const gateway = await keyGateway()
    const document = await publishedDocument(gateway)
    const more = { team: 'b', user: 'u', allowedModels: ['*'], allowedRoutes: ['stateless'], expiresMs: 2e12 }
    const key = await made(gateway, more)
    const at = `/v1/keys/${key.id}`
    const answers = [
      ['/v1/keys', 'post', 201, { body: await made(gateway) }],
      ['/v1/keys/{id}/rotate', 'post', 201, await gateway.as(boss, 'POST', `${at}/rotate`, { graceMs: 5 })],
      ['/v1/keys/{id}', 'patch', 200, await gateway.as(boss, 'PATCH', at, { name: 'y' })],
      ['/v1/keys/{id}', 'get', 200, await gateway.as(boss, 'GET', at)],
      ['/v1/keys/{id}', 'delete', 200, await gateway.as(boss, 'DELETE', at)],
      ['/v1/keys', 'get', 200, await gateway.as(boss, 'GET', '/v1/keys')],
      ['/v1/audit', 'get', 200, await gateway.as(boss, 'GET', '/v1/audit')],
    ] as const
    for (const [path, method, status, { body }] of answers) {
      expect([path, method, problemsOf(document, { path, method, status }, body)]).toEqual([path, method, []])
      if (status === 200) expect(JSON.stringify(body)).not.toMatch(/phd_[\w-]{7}/)
    }
    const stored = await gateway.store.read('keys').get('acme', key.id)
    for (const [, , , { body }] of answers) expect(JSON.stringify(body)).not.toContain(stored!.hash)
  })
})

describe('the audit log', () => {
  it('has an entry for each change of a key, in the chain of its tenant', async () => {
    const gateway = await keyGateway()
    const key = await made(gateway)
    await gateway.as(boss, 'PATCH', `/v1/keys/${key.id}`, { name: 'renamed' })
    const { body: fresh } = await gateway.as(ops, 'POST', `/v1/keys/${key.id}/rotate?tenant=acme`)
    await gateway.as(boss, 'DELETE', `/v1/keys/${fresh.id}`)
    await gateway.as(boss, 'DELETE', `/v1/keys/${fresh.id}`)
    await gateway.as(boss, 'PATCH', `/v1/keys/${key.id}`, { name: '' })
    await made(gateway, {}, rival)
    const { body } = await gateway.as(boss, 'GET', '/v1/audit?order=chain')
    const entries = body.data as unknown as AuditEntry[]
    expect(entries.map(({ seq, actor, action, target }) => [seq, actor, action, target.split(';')[0]])).toEqual([
      [1, 'boss', 'key.create', key.id],
      [2, 'boss', 'key.change', key.id],
      [3, 'ops', 'key.rotate', key.id],
      [4, 'ops', 'key.create', fresh.id],
      [5, 'boss', 'key.revoke', fresh.id],
    ])
    for (const { from, atMs } of entries) expect([from, atMs]).toEqual(['127.0.0.1', gateway.clock.now()])
    expect(entries[1]!.beforeHash).toBe(entries[0]!.afterHash)
    expect(entries.reduce(readEntry, noChains).broken).toBeUndefined()
    expect(JSON.stringify(body)).not.toContain(key.secret.slice(0, 12))
    const newest = await gateway.as(ops, 'GET', '/v1/audit?limit=2')
    expect(newest.body.data.map(({ tenant }) => tenant)).toEqual(['rival', 'acme'])
    const rest = await gateway.as(ops, 'GET', `/v1/audit?cursor=${String(newest.body['next'])}`)
    expect(rest.body.data).toHaveLength(4)
  })

  it.each([
    [{}, 3],
    [{ retention: { auditDays: 1 } }, 1],
  ])('is kept as long as the configuration says, and for ever by default: %j', async (config, left) => {
    const gateway = await keyGateway({ config })
    for (let number = 0; number < 3; number += 1) await made(gateway)
    await gateway.clock.advance(2 * dayMs)
    await gateway.clock.advance(60_000)
    const entries = () => gateway.store.read('audit').list({ tenant: 'acme', order: 'chain', limit: 9 })
    await expect.poll(async () => (await entries()).length).toBe(left)
    expect((await entries()).at(-1)).toMatchObject({ seq: 3 })
    expect(await gateway.store.read('keys').list({ tenant: 'acme', limit: 9 })).toHaveLength(3)
  })

  it('is one chain after changes at once', async () => {
    const gateway = await keyGateway()
    const keys = await Promise.all(Array.from({ length: 12 }, () => made(gateway)))
    await Promise.all(keys.map(({ id }) => gateway.as(boss, 'DELETE', `/v1/keys/${id}`)))
    const one = keys[0]!.id
    await Promise.all(['a', 'b', 'c'].map((name) => gateway.as(boss, 'PATCH', `/v1/keys/${one}`, { name })))
    const { body } = await gateway.as(boss, 'GET', '/v1/audit?order=chain')
    const read = (body.data as unknown as AuditEntry[]).reduce(readEntry, noChains)
    expect([read.entries, read.broken]).toEqual([24, undefined])
  })
})
