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
