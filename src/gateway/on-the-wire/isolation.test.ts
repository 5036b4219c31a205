import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { memoryStore } from '../../stores/index.ts'
import type { Store } from '../../stores/index.ts'
import { ownRoutes } from '../api/routes/index.ts'
import type { Route } from '../api/route.ts'
import { keyGateway, keyTokens } from './keys.fixture.ts'
import type { KeyGateway } from './keys.fixture.ts'
import { closeTestGateways, handleIn, openaiFixture } from './test-gateway.fixture.ts'

/*
 * Each route is asked by another tenant for what belongs to acme. Its answer has to be the one that something gets which nobody has.
 */

const needle = 'the merger is on the ninth of May'

/** What belongs to acme, and the same of nobody. */
interface Names {
  readonly session: string
  readonly pack: string
  readonly handle: string
  readonly key: string
  readonly replay: string
  readonly task: string
  /** Of the bytes of an artifact. */
  readonly hash: string
  readonly tool: string
}

const nobody: Names = {
  session: 'no-such-session',
  pack: 'req_nosuchpack00',
  handle: '000000000000',
  key: 'key_nosuchkey000',
  replay: 'rpl_nosuchreplay',
  task: 'no-such-task',
  hash: 'f'.repeat(64),
  tool: 'ghost_tool',
}

const kinds = { packs: 'pack', keys: 'key', replays: 'replay', tools: 'tool' } as const

let gateway: KeyGateway
let store: Store
let own: Names
beforeAll(async () => {
  store = memoryStore()
  gateway = await keyGateway({ store, config: { tenants: { acme: { policy: 'thrifty' } } } })
  const body = openaiFixture.body(9)
  const named = { ...body, messages: [openaiFixture.says(needle), ...body.messages] }
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'authorization': `Bearer ${keyTokens.boss}`,
      'x-session-id': 'merger',
    },
    body: JSON.stringify(named),
  })
  await response.text()
  const pack = response.headers.get('x-prehend-pack-id')!
  const handle = Array.from({ length: 9 }, (_, at) => handleIn(gateway.provider.requests.at(-1)!.body, at + 1)).find(
    (found) => found !== undefined,
  )!
  const key = await gateway.as(keyTokens.boss, 'POST', '/v1/keys', { name: needle })
  const replay = await gateway.as(keyTokens.boss, 'POST', '/v1/replays', {
    sessions: ['merger'],
    policies: ['thrifty'],
  })
  const artifact = await fetch(`${gateway.url}/v1/artifacts/tasks/plans-of-acme/step-1/plan.md`, {
    method: 'PUT',
    headers: { 'authorization': `Bearer ${keyTokens.boss}`, 'content-type': 'text/markdown' },
    body: needle,
  })
  const { sha256: hash } = (await artifact.json()) as { sha256: string }
  await gateway.as(keyTokens.boss, 'POST', '/v1/outcomes', { session: 'merger', quality: 1, note: needle })
  const tool = 'plans_tool'
  await gateway.as(keyTokens.boss, 'PUT', `/v1/tools/${tool}`, { description: needle })
  own = { session: 'merger', pack, handle, key: key.body.id, replay: replay.body.id, task: 'plans-of-acme', hash, tool }
})
afterAll(async () => {
  await closeTestGateways()
  await store.close()
})

function pathOf({ path }: Route, names: Names): string {
  const kind = kinds[(/^\/v1\/(\w+)\//.exec(path)?.[1] ?? '') as keyof typeof kinds]
  const named = { ...names, id: names[kind], step: 'step-1', name: 'plan.md', tenant: 'acme' }
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => named[name as keyof typeof named])
}

/** A query and a body that the route takes. A route that is missing here asks for none. */
const said: Readonly<Record<string, (names: Names) => { readonly query?: string; readonly body?: object }>> = {
  'get /v1/artifacts': () => ({ query: 'list=tasks/' }),
  'get /v1/search': () => ({ query: 'q=ninth+of+May' }),
  'get /v1/replays/{id}/requests': ({ session }) => ({ query: `session=${session}` }),
  'get /v1/outcomes': ({ session }) => ({ query: `session=${session}` }),
  'post /v1/outcomes': ({ session }) => ({ body: { session, quality: 0 } }),
  'get /v1/packs': ({ session }) => ({ query: `session=${session}` }),
  'get /v1/stats': () => ({ query: 'by=day,model' }),
  'get /v1/packs/{id}/comparison': () => ({ query: 'policy=careful' }),
  'get /v1/packs/{id}/copy': () => ({ query: 'as=curl' }),
  'post /v1/sessions/{session}/rehydrate': ({ handle }) => ({ body: { handle } }),
  'post /v1/artifacts/tasks/{task}/{step}/{name}/hold': () => ({ body: { on: true } }),
  'put /v1/sessions/{session}/compaction': () => ({ body: { preserveRecent: 2 } }),
  'post /v1/sessions/{session}/compact': () => ({ body: {} }),
  'post /v1/sessions/{session}/steering': () => ({ body: { note: 'Mine.', pin: ['result:1'] } }),
  'post /v1/sessions/{session}/handoff': () => ({ body: {} }),
  'post /v1/replays': ({ session }) => ({ body: { sessions: [session], policies: ['thrifty'] } }),
  'post /v1/policies/check': () => ({ body: { extends: 'thrifty', id: 'mine', version: '1.0.0' } }),
  'post /v1/compile': () => ({ body: { schema: 'prehend.compile/1', model: 'gpt-5.1', items: [] } }),
  'get /v1/tools': () => ({ query: 'q=ninth+of+May' }),
  'put /v1/tools/{id}': () => ({ body: { description: 'mine' } }),
  'post /v1/tools/{id}/call': () => ({ body: { arguments: {} } }),
  'post /v1/keys': () => ({ body: { name: 'mine' } }),
  'patch /v1/keys/{id}': () => ({ body: { name: 'mine now' } }),
  'post /v1/keys/{id}/rotate': () => ({ body: {} }),
  'put /v1/tenants/{tenant}/settings': () => ({ body: {} }),
  'put /v1/tenants/{tenant}/provider-keys/{upstream}': () => ({ body: { key: 'sk-of-the-rival-0123456789' } }),
}

/** What is told of all who ask, or of the product. */
const ofAll = new Set([
  '/health/liveness',
  '/health/readiness',
  '/openapi.json',
  '/v1/extensions',
  '/v1/policies',
  '/v1/policies/{id}',
])
const asked = ownRoutes.filter(({ path, media }) => !ofAll.has(path) && media !== 'text/event-stream')

async function ask(token: string, route: Route, names: Names): Promise<{ status: number; text: string }> {
  const { query, body } = said[`${route.method} ${route.path}`]?.(names) ?? {}
  const response = await fetch(`${gateway.url}${pathOf(route, names)}${query === undefined ? '' : `?${query}`}`, {
    method: route.method.toUpperCase(),
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, text: await response.text() }
}

/** Without what was asked for, what is new in each answer, and figures of time. */
function alike(text: string): string {
  let shown = text
  for (const names of [own, nobody])
    for (const [kind, name] of Object.entries(names)) shown = shown.replaceAll(name, `<${kind}>`)
  return shown
    .replaceAll(/\b(?:req|key|rpl|hnd|cmp|out)_\w+/g, '<new>')
    .replaceAll(/phd_[\w-]+/g, '<secret>')
    .replaceAll(/"prefix":"[^"]*"/g, '"prefix":""')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/"(\w*(?:Ms|id))":(?:\d+(?:\.\d+)?|"[^"]*")/g, '"$1":0')
}

describe('another tenant', () => {
  it.each(asked.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s: gets of acme what it gets of nobody',
    async (_, route) => {
      const ghost = await ask(keyTokens.rival, route, nobody)
      // What is refused for its form says nothing.
      expect(ghost).not.toMatchObject({ status: 400 })
      const theirs = await ask(keyTokens.rival, route, own)
      expect(theirs.text).not.toContain(needle)
      expect({ status: theirs.status, text: alike(theirs.text) }).toEqual({
        status: ghost.status,
        text: alike(ghost.text),
      })
    },
  )

  it('changed nothing of acme, who reaches all of it', async () => {
    const replay = () => gateway.as(keyTokens.boss, 'GET', `/v1/replays/${own.replay}`)
    await expect.poll(async () => (await replay()).body).toMatchObject({ state: 'done' })
    const closed = new Set<string>()
    for (const route of asked.filter(({ path, method }) => path.includes('{') && method === 'get')) {
      const mine = await ask(keyTokens.boss, route, own)
      if (mine.status >= 300) closed.add(`${route.path} ${mine.status} ${mine.text.slice(0, 200)}`)
    }
    expect([...closed]).toEqual([])
    const keys = await gateway.as(keyTokens.boss, 'GET', '/v1/keys')
    expect(keys.body.data).toMatchObject([{ id: own.key, name: needle }])
    const outcomes = await gateway.as(keyTokens.boss, 'GET', `/v1/outcomes?session=${own.session}`)
    expect(outcomes.body.data).toMatchObject([{ note: needle }])
    const search = await gateway.as(keyTokens.boss, 'GET', '/v1/search?q=ninth+of+May')
    expect(JSON.stringify(search.body)).toContain('merger')
  })

  it('hears no event of acme', async () => {
    const heard = new AbortController()
    const response = await fetch(`${gateway.url}/v1/events?last=0-0`, {
      headers: { authorization: `Bearer ${keyTokens.rival}` },
      signal: heard.signal,
    })
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    await gateway.ask(keyTokens.boss)
    await gateway.ask(keyTokens.rival)
    let text = ''
    while (!text.includes('context:assembled')) text += (await reader.read()).value
    heard.abort()
    expect(text).not.toContain('merger')
    expect(text.match(/^event: context:assembled$/gm)).toHaveLength(1)
  })
})
