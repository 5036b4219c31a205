import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ownRoutes } from '../api/routes/index.ts'
import type { Route } from '../api/route.ts'
import { keyGateway, keyTokens } from './keys.fixture.ts'
import type { KeyGateway } from './keys.fixture.ts'
import { closeTestGateways } from './test-gateway.fixture.ts'

const secretWords = 'the merger is on the ninth of May'

let gateway: KeyGateway
const secrets: Record<string, string> = {}

beforeAll(async () => {
  gateway = await keyGateway()
  const limits = {
    inference: {},
    reader: { scopes: ['read'] },
    both: { scopes: ['inference', 'read'] },
    embeddings: { scopes: ['inference', 'read', 'admin'], allowedRoutes: ['POST /v1/embeddings'] },
    lister: { scopes: ['inference', 'read'], allowedRoutes: ['GET /v1/packs'] },
  }
  for (const [name, more] of Object.entries(limits)) {
    const { body } = await gateway.as(keyTokens.boss, 'POST', '/v1/keys', { name, ...more })
    secrets[name] = body.secret
  }
  await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      'authorization': `Bearer ${keyTokens.boss}`,
      'content-type': 'application/json',
      'x-session-id': 's1',
    },
    body: JSON.stringify({ model: 'gpt-5.1', messages: [{ role: 'user', content: secretWords }] }),
  }).then((response) => response.text())
})
afterAll(closeTestGateways)

const routes = ownRoutes.filter(({ open }) => !open)

async function asked(key: string, { method, path }: Pick<Route, 'method' | 'path'>, body: unknown = {}) {
  const response = await fetch(gateway.url + path.replaceAll('{session}', 's1').replaceAll(/\{\w+\}/g, 'x'), {
    method: method.toUpperCase(),
    headers: {
      authorization: `Bearer ${secrets[key]}`,
      ...(method !== 'get' && { 'content-type': 'application/json' }),
    },
    ...(method !== 'get' && { body: JSON.stringify(body) }),
  })
  return { status: response.status, text: await response.text() }
}

/** What a key with `inference` alone reaches: nothing of it answers with words of others. */
const ofInference = [
  'post /v1/compile',
  'post /v1/outcomes',
  'put /v1/artifacts/tasks/{task}/{step}/{name}',
  'delete /v1/artifacts/tasks/{task}/{step}/{name}',
  'post /v1/tools/{id}/call',
]

describe('a key with the scope inference alone', () => {
  it.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', async (name, route) => {
    const { status, text } = await asked('inference', route)
    expect([status === 403, text.includes(secretWords)]).toEqual([!ofInference.includes(name), false])
  })
})

it('a key with the scope inference alone learns nothing of a session by recording its outcome or compiling in it', async () => {
  const outcome = { session: 's1', quality: 1 }
  const first = await gateway.as(keyTokens.boss, 'POST', '/v1/outcomes', { ...outcome, note: secretWords })
  expect([first.status, JSON.stringify(first.body)]).toEqual([201, expect.stringContaining(secretWords)])
  const again = await asked('inference', { method: 'post', path: '/v1/outcomes' }, outcome)
  expect([again.status, again.text.includes(secretWords)]).toEqual([201, false])
  const compiled = await fetch(`${gateway.url}/v1/compile`, {
    method: 'POST',
    headers: {
      'authorization': `Bearer ${secrets['inference']}`,
      'content-type': 'application/json',
      'x-session-id': 's1',
    },
    body: JSON.stringify({ model: 'gpt-5.1', messages: [{ role: 'user', content: 'And what else?' }] }),
  })
  expect([compiled.status, (await compiled.text()).includes(secretWords)]).toEqual([200, false])
})

const changes = [
  ['post', 'steering', { note: 'The operator says: stop.' }, 'steering'],
  ['put', 'compaction', { preserveRecent: 2 }, 'compaction-settings'],
  ['post', 'compact', {}, 'compact'],
  ['post', 'handoff', {}, 'handoff'],
] as const

describe.each(changes)('%s /v1/sessions/{session}/%s', (method, name, body, change) => {
  const route = { method, path: `/v1/sessions/{session}/${name}` }

  it('takes inference and read together', async () => {
    for (const key of ['inference', 'reader', 'lister', 'embeddings'])
      expect([key, (await asked(key, route, body)).status]).toEqual([key, 403])
    expect((await asked('inference', route, body)).text).toContain('lacks the scope read')
    expect((await asked('both', route, body)).status).toBeLessThan(300)
  })

  it('is logged with who asked and from where, without what was said', () => {
    const lines = gateway.log.filter(
      ({ event, fields }) => event === 'session-changed' && fields?.['change'] === change,
    )
    expect(lines).toMatchObject([
      { fields: { tenant: 'acme', session: 's1', from: '127.0.0.1', keyId: expect.stringMatching(/^key_/) } },
    ])
    expect(JSON.stringify(lines)).not.toContain('operator says')
  })
})

describe('a key that is limited to routes', () => {
  it('reaches no route of the gateway that its list leaves out', async () => {
    for (const route of routes)
      expect([route.path, (await asked('embeddings', route)).status]).toEqual([route.path, 403])
  })

  it('reaches those that it lists', async () => {
    expect((await asked('lister', { method: 'get', path: '/v1/packs' })).status).toBe(200)
    expect((await asked('lister', { method: 'get', path: '/v1/packs/{id}' })).status).toBe(403)
  })
})

describe('the scope metrics', () => {
  const mayAsk = ['/metrics', '/v1/health']
  let prom = ''
  beforeAll(async () => {
    const { body } = await gateway.as(keyTokens.ops, 'POST', '/v1/keys', { name: 'prom', scopes: ['metrics'] })
    secrets['prom'] = body.secret
    prom = body.id
  })

  it('reads the metrics and the health, and nothing else', async () => {
    const metrics = await asked('prom', { method: 'get', path: '/metrics' })
    expect([metrics.status, metrics.text]).toEqual([200, expect.stringContaining('prehend_requests_total')])
    expect((await asked('prom', { method: 'get', path: '/v1/health' })).status).toBe(200)
    for (const route of routes.filter(({ path }) => !mayAsk.includes(path)))
      expect([route.path, (await asked('prom', route)).status]).toEqual([route.path, 403])
    expect((await gateway.ask(secrets['prom']!)).status).toBe(403)
  })

  it('is given, changed and rotated by operators only', async () => {
    const refused = await gateway.as(keyTokens.boss, 'POST', '/v1/keys', { name: 'mine', scopes: ['metrics'] })
    expect([refused.status, refused.message]).toEqual([403, expect.stringContaining('the scope metrics')])
    const { body } = await gateway.as(keyTokens.ops, 'POST', '/v1/keys', {
      name: 'of acme',
      tenant: 'acme',
      scopes: ['metrics'],
    })
    expect((await gateway.as(keyTokens.boss, 'POST', `/v1/keys/${body.id}/rotate`, {})).status).toBe(403)
    expect((await gateway.as(keyTokens.ops, 'POST', `/v1/keys/${prom}/rotate`, {})).status).toBe(201)
  })
})

describe('the list of routes that a key is limited to', () => {
  const create = (allowedRoutes: readonly string[]) =>
    gateway.as(keyTokens.ops, 'POST', '/v1/keys', { name: 'limited', scopes: ['operator'], allowedRoutes })

  it.each([
    ['GET /metric'],
    ['GET /metrics/all'],
    ['GTE /metrics'],
    ['POST /metrics'],
    ['GET /v1/packs/{id}/everything/else'],
    ['/inspector/page'],
  ])('refuses %s, and names the routes that there are', async (route) => {
    const { status, message } = await create(['stateless', route])
    expect([status, message]).toEqual([400, expect.stringContaining('allowedRoutes[1]: there is no route')])
    expect(message).toContain('DELETE /v1/tenants/{tenant}')
  })

  it.each([
    ['stateless'],
    ['GET /metrics'],
    ['/v1/packs/*'],
    ['GET /v1/sessions/s1/timeline'],
    ['GET /v1/*'],
    ['POST /v1/route/of/tomorrow'],
    ['GET /v1/extensions/weather/today'],
    ['POST /v1beta/models/*:embedContent'],
  ])('takes %s', async (route) => {
    expect((await create([route])).status).toBe(201)
  })

  it('limits an operator, too: a key for metrics deletes no tenant', async () => {
    const { body } = await create(['GET /metrics'])
    const { status, message } = await gateway.as(body.secret, 'DELETE', '/v1/tenants/nobody')
    expect([status, message]).toEqual([403, expect.stringContaining('This key may not use DELETE /v1/tenants/nobody')])
    secrets['limited'] = body.secret
    expect((await asked('limited', { method: 'get', path: '/metrics' })).status).toBe(200)
    const wrong = await gateway.as(keyTokens.ops, 'PATCH', `/v1/keys/${body.id}`, { allowedRoutes: ['GET /metric'] })
    expect(wrong.status).toBe(400)
  })
})
