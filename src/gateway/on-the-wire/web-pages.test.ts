import { afterEach, describe, expect, it } from 'vitest'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import type { Upstream } from '../../providers/index.ts'
import { rawRequest } from './raw-request.fixture.ts'
import type { RawRequest } from './raw-request.fixture.ts'
import { anthropicFixture, closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const tokens = [{ token: 'token-of-acme', tenant: 'acme' }]
const json = { 'content-type': 'application/json' }
const hello = JSON.stringify({ model: 'gpt-5.1', messages: [{ role: 'user', content: 'Hello' }] })
const asking: RawRequest = { method: 'POST', path: '/v1/chat/completions', headers: json, body: hello }

/** One request for every kind of route. */
const everyRoute: readonly RawRequest[] = [
  asking,
  { method: 'POST', path: '/v1/messages', headers: json, body: JSON.stringify(anthropicFixture.body(0)) },
  { method: 'POST', path: '/v1/messages/count_tokens', headers: json, body: JSON.stringify(anthropicFixture.body(0)) },
  { method: 'POST', path: '/v1/compile', headers: json, body: hello },
  { method: 'POST', path: '/v1/embeddings', headers: json, body: '{}' },
  { path: '/v1/models' },
  { path: '/v1/packs' },
  { path: '/v1/packs/nothing' },
  { path: '/health/liveness' },
  { path: '/health/readiness' },
  { path: '/metrics' },
  { path: '/nowhere' },
]

const ask = (gateway: TestGateway, asked: RawRequest, headers: Record<string, string>) =>
  rawRequest(gateway.url, { ...asked, headers: { authorization: 'Bearer key', ...asked.headers, ...headers } })

describe('without tokens, a web page gets nothing', () => {
  it.each(everyRoute)('by the name that it has pointed here: $path', async (asked) => {
    const gateway = await testGateway({ script: () => 'fine' })
    const { port } = new URL(gateway.url)
    for (const host of ['evil.example', `evil.example:${port}`, `127.0.0.1.evil.example:${port}`, `10.0.0.1:${port}`]) {
      const { status, text } = await ask(gateway, asked, { host })
      expect([host, status]).toEqual([host, 403])
      expect(text).toContain('--allow-host')
    }
    expect(gateway.provider.requests).toEqual([])
  })

  it.each(everyRoute)('from another origin: $path', async (asked) => {
    const gateway = await testGateway({ script: () => 'fine' })
    const { port } = new URL(gateway.url)
    for (const origin of [
      'https://evil.example',
      'null',
      'http://localhost:3000',
      `http://127.0.0.1.evil.example:${port}`,
    ]) {
      const { status, text, headers } = await ask(gateway, asked, { origin })
      expect([origin, status]).toEqual([origin, 403])
      expect(text).toContain('--allow-origin')
      expect(headers['access-control-allow-origin']).toBeUndefined()
    }
    expect(gateway.provider.requests).toEqual([])
  })

  it('without an origin of their own, with a remedy that the gateway takes', async () => {
    const gateway = await testGateway({ script: () => 'fine' })
    const { status, text } = await ask(gateway, everyRoute[0]!, { origin: 'null' })
    expect([status, text]).toEqual([403, expect.stringContaining('Serve the page from an address of its own')])
    expect(text).not.toContain('--allow-origin null')
  })

  it.each(everyRoute)('from another site, where a browser names no origin: $path', async (asked) => {
    const gateway = await testGateway({ script: () => 'fine' })
    expect((await ask(gateway, asked, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect(gateway.provider.requests).toEqual([])
  })

  it('by any route that is stated, and on the page itself', async () => {
    const gateway = await testGateway({ script: () => 'fine' })
    const { paths } = JSON.parse((await ask(gateway, { path: '/openapi.json' }, {})).text) as {
      paths: Record<string, Record<string, unknown>>
    }
    const stated = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path: path.replaceAll(/\{\w+\}/g, 'x') })),
    )
    expect(stated.length).toBeGreaterThan(25)
    for (const asked of [...stated, { method: 'GET', path: '/openapi.json' }, { method: 'GET', path: '/inspector/' }]) {
      const body = asked.method === 'POST' ? { headers: json, body: '{}' } : {}
      for (const foreign of [
        { host: 'evil.example' },
        { origin: 'https://evil.example' },
        { 'sec-fetch-site': 'cross-site' },
      ])
        expect([asked, (await ask(gateway, { ...asked, ...body }, foreign as Record<string, string>)).status]).toEqual([
          asked,
          403,
        ])
    }
    expect(gateway.provider.requests).toEqual([])
  })

  it.each([
    'text/plain',
    'text/plain;charset=UTF-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ])('with a body that a page may send unasked: %s', async (type) => {
    const gateway = await testGateway({ script: () => 'fine' })
    for (const route of everyRoute.filter(({ body, path }) => body !== undefined && path !== '/v1/embeddings')) {
      const { status, text } = await ask(gateway, route, { 'content-type': type })
      expect([route.path, status]).toEqual([route.path, 400])
      expect(text).toContain('application/json')
    }
    expect(gateway.provider.requests).toEqual([])
  })

  it('nor may a browser ask on its behalf', async () => {
    const gateway = await testGateway()
    const { status, headers } = await rawRequest(gateway.url, {
      method: 'OPTIONS',
      path: '/v1/chat/completions',
      headers: { 'origin': 'https://evil.example', 'access-control-request-method': 'POST' },
    })
    expect(status).toBe(403)
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
  })
})

describe('without tokens, this machine gets everything', () => {
  it.each([
    {},
    { host: 'localhost:8484' },
    { host: 'LOCALHOST' },
    { host: '127.0.0.1' },
    { host: '127.8.9.10:1' },
    { host: '[::1]:8484' },
    { 'host': 'localhost:8484', 'origin': 'http://localhost:8484', 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    { 'content-type': 'application/json; charset=utf-8' },
    { 'content-type': 'application/vnd.api+json' },
  ])('%j', async (headers: Record<string, string>) => {
    const gateway = await testGateway({ script: () => 'fine' })
    expect((await ask(gateway, asking, headers)).status).toBe(200)
  })

  it('and so do clients that say nothing of what they send', async () => {
    const gateway = await testGateway({ script: () => 'fine' })
    const headers = { authorization: 'Bearer key' }
    expect((await rawRequest(gateway.url, { ...asking, headers })).status).toBe(200)
  })

  it('and the official SDKs', async () => {
    const gateway = await testGateway({ script: () => 'fine' })
    const openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'key', maxRetries: 0 })
    const anthropic = new Anthropic({ baseURL: gateway.url, apiKey: 'key', maxRetries: 0 })
    const said = await openai.chat.completions.create({ model: 'gpt-5.1', messages: [{ role: 'user', content: 'Hi' }] })
    expect(said.choices[0]!.message.content).toBe('fine')
    const body = anthropicFixture.body(0) as unknown as Anthropic.MessageCreateParamsNonStreaming
    expect((await anthropic.messages.create(body)).content).toMatchObject([{ text: 'fine' }])
  })

  it('also by a name that is allowed', async () => {
    const config = { allowedHosts: ['Gateway.internal'] }
    const gateway = await testGateway({ script: () => 'fine', config })
    expect((await ask(gateway, asking, { host: 'gateway.internal:8484' })).status).toBe(200)
    expect((await ask(gateway, asking, { host: 'evil.example' })).status).toBe(403)
  })
})

describe('with tokens', () => {
  const known = { authorization: 'Bearer token-of-acme' }

  it('any name will do, since no page knows a token', async () => {
    const gateway = await testGateway({ script: () => 'fine', config: { tokens } })
    expect((await ask(gateway, asking, { ...known, host: 'gateway.example' })).status).toBe(200)
    expect((await ask(gateway, asking, { host: 'gateway.example' })).status).toBe(401)
  })

  it('foreign pages are kept out all the same, and own ones are not', async () => {
    const gateway = await testGateway({ script: () => 'fine', config: { tokens } })
    const host = 'gateway.example'
    for (const foreign of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
      expect((await ask(gateway, asking, { ...known, host, ...foreign })).status).toBe(403)
    expect((await ask(gateway, asking, { ...known, host, origin: 'https://gateway.example' })).status).toBe(200)
  })
})

describe('pages that the configuration allows', () => {
  const page = 'https://app.example'
  const config = { allowedOrigins: ['https://App.example'] }

  it.each(everyRoute)('may read the answer, whatever it is: $path', async (asked) => {
    const gateway = await testGateway({ script: () => 'fine', config })
    const { headers, status } = await ask(gateway, asked, { 'origin': page, 'sec-fetch-site': 'cross-site' })
    expect(status).not.toBe(403)
    expect(headers).toMatchObject({ 'access-control-allow-origin': page, 'access-control-expose-headers': '*' })
  })

  it.each([openaiFixture, anthropicFixture])('a stream, too: $name', async (dialect) => {
    const gateway = await testGateway({ script: () => 'fine', config })
    const response = await post(gateway, dialect, dialect.body(1, { stream: true }), { origin: page })
    expect(response.headers.get('access-control-allow-origin')).toBe(page)
    expect(await response.text()).toContain('fine')
  })

  it('are told beforehand what they may send', async () => {
    const gateway = await testGateway({ config: { ...config, tokens } })
    const { status, headers } = await rawRequest(gateway.url, {
      method: 'OPTIONS',
      path: '/v1/chat/completions',
      headers: {
        'origin': page,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    })
    expect(status).toBe(204)
    expect(headers).toMatchObject({
      'access-control-allow-origin': page,
      'access-control-allow-methods': expect.stringContaining('POST'),
      'access-control-allow-headers': 'authorization,content-type',
    })
  })

  it('are those and no others', async () => {
    const gateway = await testGateway({ config })
    for (const origin of ['https://app.example.evil', 'http://app.example', 'https://app.example:8443'])
      expect((await ask(gateway, asking, { origin })).status).toBe(403)
  })
})

it("an upstream's word on who may read its answers is not passed on", async () => {
  const headers = {
    'content-type': 'application/json',
    'access-control-allow-origin': '*',
    'access-control-allow-credentials': 'true',
    'Access-Control-Expose-Headers': '*',
  }
  const upstream: Upstream = {
    name: 'local',
    send: async () => ({ status: 200, headers, body: (async function* () {})() }),
    close: async () => undefined,
  }
  const gateway = await testGateway({ upstream })
  for (const asked of everyRoute.slice(0, 6)) {
    const { headers: given } = await ask(gateway, asked, {})
    expect(Object.keys(given).filter((name) => name.startsWith('access-control-'))).toEqual([])
  }
})

it('who is kept out is counted and logged, by reason', async () => {
  const gateway = await testGateway()
  await ask(gateway, { path: '/v1/packs?limit=1' }, { host: 'evil.example' })
  const { text } = await rawRequest(gateway.url, { path: '/metrics' })
  expect(text).toContain('prehend_turned_away_total{reason="forbidden"} 1')
  const entries = gateway.log.filter(({ event }) => event === 'turned-away')
  expect(entries.map(({ fields }) => fields)).toMatchObject([{ method: 'GET', path: '/v1/packs', code: 'forbidden' }])
})
