import OpenAI from 'openai'
import Anthropic from '@anthropic-ai/sdk'
import { afterEach, describe, expect, it } from 'vitest'
import type { CompileResult } from '../../core/index.ts'
import { memoryStore } from '../../stores/index.ts'
import {
  anthropicFixture,
  closeTestGateways,
  openaiFixture,
  post,
  testGateway,
} from '../on-the-wire/test-gateway.fixture.ts'

afterEach(closeTestGateways)

const json = async (response: Response): Promise<Record<string, never>> =>
  (await response.json()) as Record<string, never>

describe('packs', () => {
  it('lists receipts newest first, by page and by session, and shows one with its input', async () => {
    const gateway = await testGateway({ script: () => 'done' })
    for (const session of ['one', 'two', 'one']) {
      await (await post(gateway, openaiFixture, openaiFixture.body(1), { 'x-session-id': session })).text()
    }
    const list = async (query: string): Promise<{ session: string; sequence: number; packId: string }[]> =>
      (await json(await fetch(`${gateway.url}/v1/packs${query}`)))['data']!
    expect((await list('')).map(({ session }) => session)).toEqual(['one', 'two', 'one'])
    expect(await list('?session=two')).toHaveLength(1)
    const [newest] = await list('?limit=1')
    expect((await list(`?before=${newest!.sequence}`)).map(({ session }) => session)).toEqual(['two', 'one'])
    const receipt = await json(await fetch(`${gateway.url}/v1/packs/${newest!.packId}`))
    expect(receipt).toMatchObject({
      model: 'gpt-5.1',
      manifest: { schema: 'prehend.manifest/1' },
      result: { status: 200 },
    })
    expect(receipt['input']!['items']).toHaveLength(5)
  })

  it('keeps no content where only receipts are recorded', async () => {
    const gateway = await testGateway({ script: () => 'done', config: { record: 'receipts' } })
    const response = await post(gateway, openaiFixture, openaiFixture.body(1))
    await response.text()
    const receipt = await fetch(`${gateway.url}/v1/packs/${response.headers.get('x-prehend-pack-id')}`)
    expect(await receipt.text()).not.toContain('Find the value.')
  })

  it.each(['limit=0', 'limit=x', 'before=-1', 'limit=1e9'])('refuses %s, naming the field', async (query) => {
    const gateway = await testGateway()
    const response = await fetch(`${gateway.url}/v1/packs?${query}`)
    expect(response.status).toBe(400)
    expect((await json(response))['error']!['param']).toBe(query.split('=')[0])
  })

  it('an unknown pack is a 404', async () => {
    const gateway = await testGateway()
    expect((await fetch(`${gateway.url}/v1/packs/nothing`)).status).toBe(404)
  })
})

describe('session key', () => {
  const sessionOf = async (headers: Record<string, string>, more: Record<string, unknown> = {}): Promise<string> => {
    const gateway = await testGateway({ script: () => 'done' })
    await (await post(gateway, openaiFixture, openaiFixture.body(1, more), headers)).text()
    return (await gateway.store.read('receipts').list('default', { limit: 1 }))[0]!.session
  }

  it('is the first that is present', async () => {
    const all = { 'x-session-id': 'id', 'x-session-affinity': 'affinity' }
    expect(await sessionOf(all, { prompt_cache_key: 'key' })).toBe('id')
    expect(await sessionOf({ 'x-session-affinity': 'affinity' }, { prompt_cache_key: 'key' })).toBe('affinity')
    expect(await sessionOf({}, { prompt_cache_key: 'key' })).toBe('key')
    expect(await sessionOf({})).toMatch(/^[0-9a-f]{32}$/)
  })

  it('without a name, is the same for what begins the same, and other for what does not', async () => {
    expect(await sessionOf({})).toBe(await sessionOf({}, { temperature: 0.5 }))
    const gateway = await testGateway({ script: () => 'done' })
    const body = openaiFixture.body(1)
    const other = { ...body, messages: [body.messages[0], openaiFixture.says('Else.'), ...body.messages.slice(2)] }
    for (const asked of [body, other]) await (await post(gateway, openaiFixture, asked)).text()
    const sessions = (await gateway.store.read('receipts').list('default', { limit: 9 })).map(({ session }) => session)
    expect(new Set(sessions).size).toBe(2)
  })

  it('conversations under one name keep ledgers of their own', async () => {
    const gateway = await testGateway({ script: () => 'done' })
    const named = { 'x-session-id': 'shared' }
    const side = { model: 'gpt-5.1', messages: [openaiFixture.says('Give this conversation a title.')] }
    for (const results of [7, 8, 9]) {
      await (await post(gateway, openaiFixture, openaiFixture.body(results), named)).text()
      await (await post(gateway, openaiFixture, side, named)).text()
    }
    const packs = await gateway.store.read('receipts').list('default', { limit: 9, session: 'shared' })
    const causes = await Promise.all(
      packs.map(
        async ({ requestId }) =>
          (await gateway.store.read('receipts').get('default', requestId))?.manifest.epoch?.cause,
      ),
    )
    expect(packs).toHaveLength(6)
    expect(causes).not.toContain('history-changed')
  })
})

describe('compile route', () => {
  it('compiles a document and keeps what its handles bring back', async () => {
    const gateway = await testGateway()
    const text = 'a fact that is worth knowing. '.repeat(400)
    const document = {
      schema: 'prehend.compile/1',
      model: 'gpt-5.1',
      budget: { windowTokens: 4000 },
      frame: { request: 'What is worth knowing?' },
      items: [
        { id: 'e1', section: 'evidence', kind: 'evidence', text, provenance: { sourceId: 's' } },
        { id: 'e2', section: 'evidence', kind: 'evidence', text: 'Short.', provenance: { sourceId: 's' } },
      ],
    }
    const response = await post(gateway, { ...openaiFixture, path: '/v1/compile' }, document)
    expect(response.status).toBe(200)
    const result = (await response.json()) as CompileResult & { requestId: string }
    expect(result.outcome.kind).toBe('ok')
    expect(result.pack!.messages.length).toBeGreaterThan(0)
    const handles = result.manifest.decisions.flatMap(({ handle }) => handle ?? [])
    for (const handle of handles) {
      expect(await gateway.store.read('originals').get({ tenant: 'default', session: 'compile' }, handle)).toBeDefined()
    }
    expect(await gateway.store.read('receipts').get('default', result.requestId)).toMatchObject({ dialect: 'compile' })
  })

  it.each([openaiFixture, anthropicFixture])('compiles the body of a request: $name', async (dialect) => {
    const gateway = await testGateway()
    const response = await post(gateway, { ...dialect, path: '/v1/compile' }, dialect.body(2))
    expect(response.status).toBe(200)
    expect(((await response.json()) as CompileResult).manifest).toMatchObject({ layout: 'messages', outcome: 'ok' })
  })

  it('compiles the body of a request whose conversation is its input', async () => {
    const gateway = await testGateway()
    const body = { model: 'gpt-5.1', instructions: 'You are an agent.', input: [{ role: 'user', content: 'go' }] }
    const response = await post(gateway, { ...openaiFixture, path: '/v1/compile' }, body)
    const { manifest, pack } = (await response.json()) as CompileResult
    expect(manifest).toMatchObject({ layout: 'messages', outcome: 'ok' })
    expect(pack?.entries.map(({ text }) => text)).toEqual(['You are an agent.', 'go'])
  })

  it('what does not fit is a 422 that says by how much', async () => {
    const gateway = await testGateway()
    const items = [{ id: 'p', section: 'policy', kind: 'instruction', text: 'Obey. '.repeat(3000), pin: true }]
    const document = { schema: 'prehend.compile/1', budget: { windowTokens: 1000 }, items, frame: { request: 'x' } }
    const response = await post(gateway, { ...openaiFixture, path: '/v1/compile' }, document)
    expect(response.status).toBe(422)
    const { outcome } = (await response.json()) as CompileResult
    expect(outcome).toMatchObject({ kind: 'budget-exhausted' })
  })

  it.each([
    ['{"schema":"prehend.compile/1"', 'JSON'],
    ['{"schema":"prehend.compile/1","items":[],"budget":{"windowTokens":-5}}', 'budget.windowTokens'],
    ['{"schema":"prehend.compile/1","items":[],"model":"gpt-5.1","extra":1}', 'extra'],
    ['[]', 'object'],
  ])('refuses %s', async (body, named) => {
    const gateway = await testGateway()
    const response = await post(gateway, { ...openaiFixture, path: '/v1/compile' }, body)
    expect(response.status).toBe(400)
    expect((await json(response))['error']!['message']).toContain(named)
  })
})

describe('models and counts', () => {
  it('lists the models of the provider', async () => {
    const gateway = await testGateway()
    const openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'key', maxRetries: 0 })
    const anthropic = new Anthropic({ baseURL: gateway.url, apiKey: 'key', maxRetries: 0 })
    expect((await openai.models.list()).data.length).toBeGreaterThan(3)
    expect((await anthropic.models.list()).data.length).toBeGreaterThan(3)
    expect((await openai.models.retrieve('gpt-5.1')).id).toBe('gpt-5.1')
  })

  it('counts a request as the client wrote it', async () => {
    const gateway = await testGateway()
    const client = new Anthropic({ baseURL: gateway.url, apiKey: 'key', maxRetries: 0 })
    const { max_tokens: _, ...body } = anthropicFixture.body(2)
    const { input_tokens: tokens } = await client.messages.countTokens(
      body as unknown as Anthropic.MessageCountTokensParams,
    )
    expect(tokens).toBeGreaterThan(10_000)
  })

  it('counts by itself where the provider cannot', async () => {
    const upstream = {
      name: 'bare',
      send: async () => ({ status: 404, headers: {}, body: (async function* () {})() }),
      close: async () => undefined,
    }
    const gateway = await testGateway({ upstream })
    const own = await json(
      await post(gateway, { ...anthropicFixture, path: '/v1/messages/count_tokens' }, anthropicFixture.body(2)),
    )
    const theirs = await testGateway()
    const exact = await json(
      await post(theirs, { ...anthropicFixture, path: '/v1/messages/count_tokens' }, anthropicFixture.body(2)),
    )
    const ratio = Number(own['input_tokens']) / Number(exact['input_tokens'])
    expect(ratio).toBeGreaterThan(0.95)
    expect(ratio).toBeLessThan(1.05)
  })

  it('an error on an Anthropic route is in its words', async () => {
    const gateway = await testGateway()
    const response = await post(gateway, { ...anthropicFixture, path: '/v1/messages/count_tokens' }, '{"messages": 5}')
    expect(response.status).toBe(400)
    expect(await json(response)).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } })
  })
})

describe('health and metrics', () => {
  it('is alive, and ready while requests are served: a gateway without its store is degraded, unless it refuses all', async () => {
    let broken = false
    const plain = memoryStore()
    const ping = async (): Promise<void> => {
      if (broken) throw new Error('broken')
    }
    const store = { ...plain, ping }
    const gateway = await testGateway({ store })
    const refusing = await testGateway({ store, config: { budgets: { usdPerDay: 5 } } })
    const allowing = await testGateway({
      store,
      config: {
        budgets: { usdPerDay: 5 },
        tenants: { default: { budgets: { usdPerDay: 5, whenUnavailable: 'allow' } } },
      },
    })
    const readiness = async ({ url }: { readonly url: string }, query = '') => {
      const response = await fetch(`${url}/health/readiness${query}`)
      return [response.status, ((await response.json()) as { readonly status: string }).status]
    }
    for (const one of [gateway, refusing, allowing]) expect(await readiness(one)).toEqual([200, 'ok'])
    expect(await readiness(gateway, '?strict=true')).toEqual([200, 'ok'])
    broken = true
    expect((await fetch(`${gateway.url}/health/liveness`)).status).toBe(200)
    expect(await readiness(gateway)).toEqual([200, 'degraded'])
    expect(await readiness(gateway, '?strict=true')).toEqual([503, 'degraded'])
    expect(await readiness(allowing)).toEqual([200, 'degraded'])
    expect(await readiness(refusing)).toEqual([503, 'unavailable'])
  })

  it('the number of series does not grow with what clients send, but for the first names of models', async () => {
    const gateway = await testGateway({ script: () => 'done' })
    const series = async (): Promise<number> =>
      (await (await fetch(`${gateway.url}/metrics`)).text())
        .split('\n')
        .filter((line) => line.startsWith('prehend_') && !line.includes('nodejs') && !line.includes('model="')).length
    const send = (model: string): Promise<string> =>
      post(gateway, openaiFixture, openaiFixture.body(1, { model }), { 'x-session-id': model }).then((response) =>
        response.text(),
      )
    await send('gpt-5.1')
    await send('unknown-0')
    const before = await series()
    for (let index = 1; index < 20; index += 1) await send(`unknown-${index}`)
    expect(await series()).toBe(before)
  })

  it('usage that the provider reports is in the receipt and in the metrics', async () => {
    const gateway = await testGateway({ script: () => 'done' })
    await (await post(gateway, anthropicFixture, anthropicFixture.body(2))).text()
    await gateway.clock.advance(1000)
    await (await post(gateway, anthropicFixture, anthropicFixture.body(3))).text()
    const [newest] = await gateway.store.read('receipts').list('default', { limit: 1 })
    expect(newest!.result!.usage!.inputTokens).toBeGreaterThan(10_000)
    expect(newest!.originalTokens).toBeGreaterThan(10_000)
    expect(await (await fetch(`${gateway.url}/metrics`)).text()).toMatch(
      /prehend_tokens_total\{kind="input",family="anthropic"\} \d{5}/,
    )
  })

  it('every request is counted once, however often the metrics are read', async () => {
    const gateway = await testGateway({ script: () => 'done' })
    const metrics = async (): Promise<string> => (await fetch(`${gateway.url}/metrics`)).text()
    for (let requests = 1; requests <= 3; requests += 1) {
      await (await post(gateway, openaiFixture, openaiFixture.body(1))).text()
      for (let reading = 0; reading < 2; reading += 1) {
        const read = await metrics()
        expect(read).toContain(`prehend_requests_total{route="openai-chat",status="2xx"} ${requests}`)
        expect(read).toContain(`prehend_upstream_first_byte_seconds_count ${requests}`)
        expect(read).toContain(`prehend_overhead_seconds_count ${requests}`)
      }
    }
  })
})
