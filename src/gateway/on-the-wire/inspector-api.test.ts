import { afterEach, describe, expect, it } from 'vitest'
import { httpPage } from '../index.ts'
import { ownRoutes } from '../api/routes/index.ts'
import { problemsOf, publishedDocument } from './document.fixture.ts'
import {
  anHourMs,
  anthropicFixture,
  closeTestGateways,
  openaiFixture,
  post,
  testGateway,
} from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

type Json = Record<string, never>

/** Two sessions, one of which was shortened, a failure, and a compile. */
async function withTraffic(gateway: TestGateway): Promise<void> {
  for (const results of [6, 7, 8]) {
    await (await post(gateway, anthropicFixture, anthropicFixture.body(results), { 'x-session-id': 'long' })).text()
    await gateway.clock.advance(results === 7 ? 1000 : anHourMs)
  }
  await (await post(gateway, openaiFixture, openaiFixture.body(2), { 'x-session-id': 'short/1' })).text()
  const document = { schema: 'prehend.compile/1', items: [], model: 'gpt-5.1', frame: { request: 'What?' } }
  await (await post(gateway, { ...openaiFixture, path: '/v1/compile' }, document)).text()
}

async function asked(gateway: TestGateway, path: string, method = 'GET', body?: unknown): Promise<Json> {
  const response = await fetch(gateway.url + path, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  expect([path, response.status]).toEqual([path, expect.any(Number)])
  return (await response.json()) as Json
}

describe('routes of our own', () => {
  it('each answers what is published of it, to the member', async () => {
    const gateway = await testGateway({
      config: {
        providerKeys: { secret: 'a secret of an installation that is long' },
        upstreams: { openai: { apiKey: 'key' } },
      },
      script: () => 'done',
    })
    await withTraffic(gateway)
    const document = await publishedDocument(gateway)
    const { data: packs } = (await asked(gateway, '/v1/packs?session=long')) as unknown as {
      data: { requestId: string; packId: string }[]
    }
    const [last] = packs
    const view = (await asked(gateway, `/v1/packs/${last!.requestId}/view`)) as unknown as {
      items: { handle: string | null }[]
    }
    const handle = view.items.find((item) => item.handle !== null)?.handle
    expect(handle).toBeDefined()
    await asked(gateway, '/v1/artifacts/tasks/42/step-1/held.md', 'PUT', { text: 'held' })
    const tool = { description: 'Opens a ticket.', inputSchema: { type: 'object' } }
    for (const id of ['ticket', 'spare']) await asked(gateway, `/v1/tools/${id}`, 'PUT', tool)
    const artifact = { task: '42', step: 'step-1', name: 'plan.json' }
    const params: Record<string, string> = {
      session: 'long',
      id: last!.requestId,
      handle: handle!,
      tenant: 'gone',
      upstream: 'openai',
      ...artifact,
    }
    const bodies: Record<string, unknown> = {
      '/v1/policies/check': { extends: 'careful', id: 'mine', version: '1.0.0' },
      '/v1/outcomes': { session: 'long', requestId: last!.requestId, quality: 1, note: 'as it should be' },
      '/v1/sessions/{session}/rehydrate': { handle },
      '/v1/artifacts/tasks/{task}/{step}/{name}': { text: 'a plan' },
      '/v1/artifacts/tasks/{task}/{step}/{name}/hold': { on: true },
      '/v1/sessions/{session}/compaction': { preserveRecent: 4 },
      '/v1/sessions/{session}/compact': {},
      '/v1/sessions/{session}/steering': { note: 'Be brief.', pin: ['result:1'] },
      '/v1/sessions/{session}/handoff': {},
      '/v1/tools/{id}': tool,
      '/v1/tenants/{tenant}/settings': { policy: 'thrifty' },
      '/v1/tenants/{tenant}/provider-keys/{upstream}': { key: 'sk-of-the-tenant-1234' },
      '/v1/tools/{id}/call': { arguments: {} },
      '/v1/compile': { schema: 'prehend.compile/1', items: [], model: 'gpt-5.1', frame: { request: 'What?' } },
    }
    const queries: Record<string, string> = {
      '/v1/search': '?q=lo&session=long',
      '/v1/stats': '?by=hour,model,policy',
      '/v1/policies/{id}': '',
      '/v1/packs/{id}/comparison': '?policy=thrifty',
    }
    const seen: string[] = []
    for (const [path, methods] of Object.entries(document.paths))
      for (const [method, { responses, operationId }] of Object.entries(methods)) {
        const isOurs = !('default' in responses) && !/^\/v1\/(?:replays\/|keys)/.test(path)
        const status = '201' in responses ? 201 : 200
        if (!isOurs || !('application/json' in (responses[status]?.content ?? {}))) continue
        const named = path === '/v1/policies/{id}' ? { id: 'careful' } : params
        const held = path.endsWith('/hold') ? { ...named, name: 'held.md' } : named
        const isTool = path.startsWith('/v1/tools/')
        const own = isTool ? { id: method === 'delete' ? 'spare' : 'ticket' } : held
        const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(own[name as never] ?? ''))
        const body = method === 'get' ? undefined : bodies[path]
        const query = operationId === 'listOutcomes' ? '?session=long' : (queries[path] ?? '')
        const answer = await asked(gateway, filled + query, method.toUpperCase(), body)
        expect([operationId, problemsOf(document, { path, method, status }, answer)]).toEqual([operationId, []])
        seen.push(operationId)
      }
    const inJson = ownRoutes.filter(({ answer: told }) => told !== undefined)
    expect(httpPage()).toContain(`the answers of ${seen.length} of ${inJson.length} in JSON`)
  })

  it('an answer that says more or less than is published is found out', async () => {
    const gateway = await testGateway()
    const document = await publishedDocument(gateway)
    const answer = await asked(gateway, '/v1/stats')
    const problems = (of: unknown): string[] => problemsOf(document, { path: '/v1/stats', method: 'get' }, of)
    expect(problems(answer)).toEqual([])
    expect(problems({ ...answer, more: 1 })).toHaveLength(1)
    expect(
      problems({ ...answer, totals: { ...(answer['totals'] as unknown as object), requests: 'one' } }),
    ).toHaveLength(1)
    const { rules: _, ...less } = answer
    expect(problems(less)).toHaveLength(1)
  })

  it('every route that answers is published, and every one that is published answers', async () => {
    const gateway = await testGateway()
    const document = await publishedDocument(gateway)
    for (const { method, path } of ownRoutes) expect(Object.keys(document.paths[path] ?? {})).toContain(method)
    const own = ownRoutes.map(({ method, path }) => `${method} ${path}`)
    for (const [path, methods] of Object.entries(document.paths))
      for (const [method, { responses }] of Object.entries(methods)) {
        if ('default' in responses) continue
        expect(own).toContain(`${method} ${path}`)
        const filled = path.replaceAll(/\{\w+\}/g, 'nobody')
        if (path === '/v1/events') continue
        const response = await fetch(gateway.url + filled, { method: method.toUpperCase() })
        expect([path, (await response.text()).includes('There is no such route')]).toEqual([path, false])
      }
  })

  it('nothing that they tell is kept by a browser', async () => {
    const gateway = await testGateway({ script: () => 'done' })
    await withTraffic(gateway)
    for (const path of [
      '/v1/packs',
      '/v1/stats',
      '/v1/packs/nobody',
      '/v1/events',
      '/openapi.json',
      '/nothing',
      '/inspector/assets/none.js',
      '/v1/search?q=',
    ]) {
      const response = await fetch(gateway.url + path)
      expect([path, response.headers.get('cache-control')]).toEqual([path, 'no-store'])
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
      await response.body?.cancel()
    }
  })

  it('what a tenant asks for is of that tenant', async () => {
    const tokens = [
      { token: 'token-of-acme', tenant: 'acme' },
      { token: 'token-of-umbrella', tenant: 'umbrella' },
    ]
    const gateway = await testGateway({ script: () => 'done', config: { tokens } })
    const acme = { authorization: 'Bearer token-of-acme' }
    const umbrella = { authorization: 'Bearer token-of-umbrella' }
    await (
      await post(gateway, { ...openaiFixture, headers: acme }, openaiFixture.body(3), { 'x-session-id': 'secret' })
    ).text()
    const get = async (path: string, headers: Record<string, string>): Promise<string> =>
      (await fetch(gateway.url + path, { headers })).text()
    const [{ requestId }] = (JSON.parse(await get('/v1/packs', acme)) as { data: [{ requestId: string }] }).data
    const paths = [
      '/v1/stats?by=model',
      '/v1/sessions',
      '/v1/sessions/secret',
      '/v1/sessions/secret/timeline',
      '/v1/sessions/secret/outline',
      '/v1/packs?session=secret',
      ...['', '/view', '/difference', '/bytes', '/copy?as=curl'].map((part) => `/v1/packs/${requestId}${part}`),
      `/v1/search?q=sec&session=secret`,
      `/v1/search?q=${requestId}`,
    ]
    for (const path of paths) {
      expect([path, await get(path, acme)]).not.toEqual([path, await get(path, umbrella)])
      expect(await get(path, umbrella)).not.toMatch(/gpt-5\.1|Find the value|"requests":1/)
      expect((await fetch(gateway.url + path)).status).toBe(401)
    }
  })

  it.each([
    ['/v1/stats?by=week', 'by'],
    ['/v1/stats?by=tenants', 'by'],
    ['/v1/stats?since=yesterday', 'since'],
    ['/v1/stats?days=3', 'days'],
    ['/v1/packs?cursor=nonsense', 'cursor'],
    ['/v1/sessions?cursor=eyJhIjoxfQ', 'cursor'],
    ['/v1/packs?failed=perhaps', 'failed'],
    ['/v1/search', 'q'],
    ['/v1/health?deep=1', 'deep'],
    ['/v1/packs/any/copy?as=poem', 'as'],
  ])('%s is refused, naming %s', async (path, field) => {
    const gateway = await testGateway()
    const answer = (await asked(gateway, path)) as unknown as { error: { param: string } }
    expect(answer.error.param).toBe(field)
  })
})

describe('what routes tell', () => {
  it('figures of the overview are those of the receipts', async () => {
    const gateway = await testGateway({ script: () => 'done' })
    await withTraffic(gateway)
    const { totals, data } = (await asked(gateway, '/v1/stats?by=model')) as unknown as {
      totals: Record<string, number>
      data: { model: string; figures: Record<string, number> }[]
    }
    const receipts = await gateway.store.read('receipts').list('default', { limit: 99 })
    const sum = (of: (result: NonNullable<(typeof receipts)[number]['result']>) => number | undefined): number =>
      receipts.reduce((total, { result }) => total + ((result && of(result)) ?? 0), 0)
    expect(totals['requests']).toBe(4)
    expect(totals['inputTokens']).toBe(sum(({ usage }) => usage?.inputTokens))
    expect(totals['usd']).toBeCloseTo(
      sum(({ cost }) => cost?.usd),
      9,
    )
    expect(totals['savedUsd']).toBeCloseTo(
      sum(({ cost }) => (cost?.clientUsd ?? 0) - (cost?.usd ?? 0)),
      9,
    )
    expect(totals['savedByMarksUsd']).toBeCloseTo(
      sum(({ cost }) => (cost?.clientUsd ?? 0) - (cost?.passThroughUsd ?? 0)),
      9,
    )
    expect(totals['savedByPackingUsd']! + totals['savedByMarksUsd']!).toBeCloseTo(totals['savedUsd']!, 9)
    expect(data.map(({ model, figures }) => [model, figures['requests']])).toEqual([
      ['claude-sonnet-4-6', 3],
      ['gpt-5.1', 1],
    ])
  })

  it('requests without a receipt are counted, too: nothing is saved on them', async () => {
    const gateway = await testGateway({ script: () => 'done', config: { mode: 'off' } })
    await (await post(gateway, anthropicFixture, anthropicFixture.body(2))).text()
    await (await post(gateway, openaiFixture, openaiFixture.body(2, { model: 'gpt-5.1' }))).text()
    const stats = async (): Promise<{ totals: Record<string, number>; data: { policy: string }[] }> =>
      (await asked(gateway, '/v1/stats?by=policy')) as never
    await expect.poll(async () => (await stats()).totals['requests']).toBe(2)
    const { totals, data } = await stats()
    expect(data.map(({ policy }) => policy)).toEqual(['none'])
    expect(totals['usd']).toBeGreaterThan(0)
    expect(totals['savedUsd']).toBe(0)
    expect(await gateway.store.read('receipts').list('default', { limit: 1 })).toEqual([])
  })

  it('pages of a list go on where the last one ended, whatever comes in between', async () => {
    const gateway = await testGateway({ script: () => 'done' })
    await withTraffic(gateway)
    const first = (await asked(gateway, '/v1/packs?limit=2')) as unknown as {
      data: { requestId: string }[]
      next: string
    }
    await (await post(gateway, openaiFixture, openaiFixture.body(1))).text()
    const second = (await asked(gateway, `/v1/packs?limit=9&cursor=${first.next}`)) as unknown as typeof first
    expect(second.data).toHaveLength(3)
    expect(second.next).toBeNull()
    expect(new Set([...first.data, ...second.data].map(({ requestId }) => requestId)).size).toBe(5)
  })

  it('a timeline tells what a session has come to, page by page as in one', async () => {
    const gateway = await testGateway({ script: () => 'done' })
    await withTraffic(gateway)
    type Page = { data: { requestId: string; soFar: { usd: number; priced: number } }[]; next: string | null }
    const whole = (await asked(gateway, '/v1/sessions/long/timeline')) as unknown as Page
    expect(whole.data.map(({ soFar }) => soFar.priced)).toEqual([1, 2, 3])
    const parts: Page['data'][number][] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`
      const page = (await asked(gateway, `/v1/sessions/long/timeline?limit=1${query}`)) as unknown as Page
      parts.push(...page.data)
      cursor = page.next
    }
    expect(parts).toEqual(whole.data)
    const [session] = (
      (await asked(gateway, '/v1/sessions?session=long')) as unknown as { data: { cost: { usd: number } }[] }
    ).data
    expect(whole.data.at(-1)!.soFar.usd).toBeCloseTo(session!.cost.usd, 9)
  })

  it('an outline tells what the timeline adds up to, and where each of its pages begins', async () => {
    const gateway = await testGateway({ script: () => 'done' })
    await withTraffic(gateway)
    type Entry = {
      requestId: string
      packTokens: number
      cachedTokens: number
      soFar: { usd: number; passThroughUsd: number; clientUsd: number; priced: number }
    }
    type Page = { data: Entry[] }
    const { data } = (await asked(gateway, '/v1/sessions/long/timeline')) as unknown as Page
    const outline = (await asked(gateway, '/v1/sessions/long/outline')) as unknown as {
      usd: number
      money: { ordinal: number; usd: number }[]
      epochs: number[]
      pages: { size: number; starts: number[] }
    }
    const { usd, passThroughUsd, clientUsd, priced } = data.at(-1)!.soFar
    expect(outline).toMatchObject({
      requests: 3,
      open: 0,
      whole: true,
      usd,
      passThroughUsd,
      clientUsd,
      priced,
      widestTokens: Math.max(...data.map(({ packTokens }) => packTokens)),
      cachedTokens: data.reduce((sum, { cachedTokens }) => sum + cachedTokens, 0),
    })
    expect(outline.money).toEqual(
      data.map(({ soFar: { usd: spent, passThroughUsd: all, clientUsd: client } }, index) => ({
        ordinal: index + 1,
        usd: spent,
        passThroughUsd: all,
        clientUsd: client,
        ifOnUsd: spent,
      })),
    )
    expect(outline.epochs.length).toBeGreaterThan(0)
    const { size, starts } = outline.pages
    const page = `/v1/sessions/long/timeline?after=${starts[0]! - 1}&limit=${size}`
    expect(((await asked(gateway, page)) as unknown as Page).data).toEqual(data)
  })

  it('a session tells its epochs, what each was begun for, and whether it has paid', async () => {
    const gateway = await testGateway({ script: () => 'done' })
    await withTraffic(gateway)
    type Epoch = {
      epoch: number
      cause: string
      rewriteCost: number | null
      savedUsd: number
      paidBack: boolean | null
      requests: number
    }
    const epochsOf = async (name: string): Promise<Epoch[]> =>
      ((await asked(gateway, `/v1/sessions/${name}`)) as unknown as { epochs: Epoch[] }).epochs
    const long = await epochsOf('long')
    expect(long.map(({ epoch }) => epoch)).toEqual([1, 2])
    expect(long.reduce((sum, { requests }) => sum + requests, 0)).toBe(3)
    for (const { cause, rewriteCost, paidBack, savedUsd } of long) {
      expect(['gain', 'cold-cache']).toContain(cause)
      expect([rewriteCost !== null, paidBack]).toEqual([true, savedUsd >= 0])
    }
    const [first] = await epochsOf('short%2F1')
    expect(first).toMatchObject({ epoch: 0, cause: 'first-request', rewriteCost: null, paidBack: null })
  })

  it('a request shows what the model saw, and what everything shortened came as', async () => {
    const gateway = await testGateway({ script: () => 'done' })
    await withTraffic(gateway)
    const { data } = (await asked(gateway, '/v1/packs?session=long&limit=1')) as unknown as {
      data: { requestId: string }[]
    }
    const path = `/v1/packs/${data[0]!.requestId}`
    type Item = { rung: string; text: string | null; original: string | null; handle: string | null }
    const view = (await asked(gateway, `${path}/view`)) as unknown as { same: boolean; items: Item[] }
    expect(view.same).toBe(true)
    const shortened = view.items.filter(({ original, text }) => original !== null && text !== null)
    expect(shortened.length).toBeGreaterThan(0)
    const sent = gateway.provider.requests.findLast(({ body }) => body.includes('claude'))!
    for (const { text, original, handle } of shortened) {
      expect(sent.body.includes(JSON.stringify(text))).toBe(true)
      expect(original!.length).toBeGreaterThan(text!.length)
      const held = (await asked(gateway, `/v1/sessions/long/originals/${handle}`)) as unknown as { text: string }
      expect(held.text).toBe(original)
    }
    const bytes = (await asked(gateway, `${path}/bytes`)) as unknown as {
      proven: boolean
      received: string
      sent: string
    }
    expect(bytes.proven).toBe(true)
    expect(bytes.received).toBe(JSON.stringify(anthropicFixture.body(8)))
    const verified = (await asked(gateway, `${path}/verify`, 'POST')) as unknown as { verified: boolean }
    expect(verified.verified).toBe(true)
  })
})

describe('figures by tenant', () => {
  const names = ['acme', 'platform', 'umbrella']
  const tokens = names.map((tenant) => ({ token: `token-of-${tenant}`, tenant }))

  async function stats(gateway: TestGateway, tenant: string, query: string) {
    const headers = { authorization: `Bearer token-of-${tenant}` }
    const answer = await fetch(`${gateway.url}/v1/stats${query}`, { headers })
    return (await answer.json()) as {
      totals: { requests: number; inputTokens: number }
      data: { tenant?: string; model?: string; figures: { requests: number; inputTokens: number } }[]
    }
  }

  it('an operator is told of all, everybody else of themselves', async () => {
    const gateway = await testGateway({ script: () => 'done', config: { tokens, operators: ['platform'] } })
    for (const [tenant, times] of [
      ['acme', 2],
      ['umbrella', 1],
    ] as const)
      for (let time = 0; time < times; time += 1) {
        const headers = { authorization: `Bearer token-of-${tenant}` }
        await (await post(gateway, { ...openaiFixture, headers }, openaiFixture.body(time + 1))).text()
      }
    await expect.poll(async () => (await stats(gateway, 'platform', '?by=tenant')).totals.requests).toBe(3)
    const all = await stats(gateway, 'platform', '?by=tenant,model')
    expect(all.data.map(({ tenant, model, figures }) => [tenant, model, figures.requests])).toEqual([
      ['acme', 'gpt-5.1', 2],
      ['umbrella', 'gpt-5.1', 1],
    ])
    expect(all.totals.inputTokens).toBe(all.data.reduce((sum, { figures }) => sum + figures.inputTokens, 0))
    expect((await stats(gateway, 'platform', '?by=model')).totals.requests).toBe(0)
    const own = await stats(gateway, 'acme', '?by=tenant')
    expect(own.data.map(({ tenant, figures }) => [tenant, figures.requests])).toEqual([['acme', 2]])
    const { data } = (await (
      await fetch(`${gateway.url}/v1/packs`, { headers: { authorization: 'Bearer token-of-platform' } })
    ).json()) as { data: unknown[] }
    expect(data).toEqual([])
  })
})
