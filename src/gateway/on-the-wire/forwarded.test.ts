import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import OpenAI, { toFile } from 'openai'
import Anthropic from '@anthropic-ai/sdk'
import { afterEach, describe, expect, it } from 'vitest'
import type { Layer } from '../index.ts'
import { rawRequest } from './raw-request.fixture.ts'
import type { RawRequest } from './raw-request.fixture.ts'
import { closeSocketGateways, socketGateway } from './socket-gateway.fixture.ts'
import type { Answering, SocketGateway } from './socket-gateway.fixture.ts'
import { anthropicFixture, openaiFixture } from './test-gateway.fixture.ts'

afterEach(closeSocketGateways)

const metricsOf = async ({ url }: SocketGateway): Promise<string> => (await fetch(`${url}/metrics`)).text()

describe('a route that is not known here', () => {
  const odd = Buffer.from([0x00, 0xff, 0x0d, 0x0a, 0x22, 0xc3, 0x28])

  it.each<[RawRequest]>([
    [
      {
        method: 'POST',
        path: '/v1/moderations',
        headers: { 'content-type': 'application/json' },
        body: '{"input" : 1e400}',
      },
    ],
    [
      {
        method: 'POST',
        path: '/v1/embeddings?x=1',
        headers: { 'content-type': 'application/json' },
        body: '{"input":"a"}',
      },
    ],
    [
      {
        method: 'POST',
        path: '/v1/audio/transcriptions',
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
        body: odd,
      },
    ],
    [{ method: 'POST', path: '/v1/uploads', headers: { 'content-encoding': 'gzip' }, body: odd }],
    [{ method: 'GET', path: '/v1/files/file-1/content' }],
    [{ method: 'DELETE', path: '/v1/files/file-1' }],
    [{ method: 'PATCH', path: '/v1/route/of/tomorrow', body: 'whatever' }],
    [{ method: 'GET', path: '/v1/chat/completions?limit=2' }],
    [{ method: 'GET', path: '/v1/models/meta-llama%2FLlama-3' }],
  ])('goes on as it came: $method $path', async (asked) => {
    const gateway = await socketGateway()
    const { status, text, headers } = await rawRequest(gateway.url, asked)
    expect([status, text]).toEqual([200, '{"provider":"openai"}'])
    expect(headers).toMatchObject({ 'x-prehend-upstream': 'openai' })
    const [got] = gateway.arrived
    expect(got).toMatchObject({ method: asked.method, path: asked.path })
    expect(got!.body).toEqual(Buffer.from(asked.body ?? ''))
    for (const [name, value] of Object.entries(asked.headers ?? {})) expect(got!.headers[name]).toBe(value)
    if (asked.body) expect(got!.headers['content-length']).toBe(String(asked.body.length))
    expect(got!.headers.authorization).toBe('Bearer key of openai')
  })

  it('is in the log and in the metrics, without what it says, and has no receipt', async () => {
    const gateway = await socketGateway()
    await rawRequest(gateway.url, { method: 'POST', path: '/v1/embeddings?secret=1', body: '{"input":"a secret"}' })
    const entry = gateway.log.find(({ event }) => event === 'forwarded')
    expect(entry?.fields).toMatchObject({ method: 'POST', path: '/v1/embeddings', upstream: 'openai', status: 200 })
    expect(JSON.stringify(gateway.log)).not.toContain('secret')
    expect(await metricsOf(gateway)).toContain('prehend_requests_total{route="forwarded",status="2xx"} 1')
    expect(await gateway.store.read('receipts').list('default', { limit: 1 })).toEqual([])
  })

  it.each<[string, Record<string, string>, string]>([
    ['/v1/embeddings', {}, 'openai'],
    ['/v1/files', { 'anthropic-version': '2023-06-01' }, 'anthropic'],
    ['/v1/files', { 'x-api-key': 'k' }, 'anthropic'],
    ['/v1/files', { authorization: 'Bearer k' }, 'openai'],
    ['/v1/messages/batches', {}, 'anthropic'],
    ['/v1/chat/completions/c/messages', { 'x-api-key': 'k' }, 'openai'],
  ])('%s with %j goes to its provider', async (path, headers, provider) => {
    const gateway = await socketGateway()
    expect((await rawRequest(gateway.url, { path, headers })).text).toBe(JSON.stringify({ provider }))
    const { headers: got } = gateway.arrived[0]!
    expect([got.authorization ?? got['x-api-key'], got['x-api-key'] === 'k']).toEqual([
      provider === 'openai' ? 'Bearer key of openai' : 'key of anthropic',
      false,
    ])
  })

  it.each<[string, string, Record<string, string>]>([
    ['POST', '/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse', {}],
    ['POST', '/v1/models/gemini-2.5-pro:generateContent', {}],
    ['POST', '/v1beta/models/gemini-2.5-pro:predict', {}],
    ['GET', '/v1beta/cachedContents?pageSize=2', {}],
    ['PATCH', '/v1beta/cachedContents/abc?updateMask=ttl', {}],
    ['POST', '/v1alpha/auth_tokens', {}],
    ['POST', '/v1/whatever', { 'x-goog-api-key': 'k' }],
    ['GET', '/v1/models', { 'x-goog-api-key': 'k' }],
  ])("Gemini's go to Google, with its key: %s %s", async (method, path, headers) => {
    const gateway = await socketGateway({ providers: ['openai', 'google'] })
    const body = method === 'GET' ? undefined : '{"contents":7}'
    await rawRequest(gateway.url, { method, path, headers, ...(body !== undefined && { body }) })
    const { provider, path: asked, headers: got, body: sent } = gateway.arrived[0]!
    expect([provider, asked, got['x-goog-api-key']]).toEqual(['google', path, 'key of google'])
    expect(sent.toString()).toBe(body ?? '')
  })

  it('needs a token where others do', async () => {
    const config = { tokens: [{ token: 'token-of-acme', tenant: 'acme' }] }
    const gateway = await socketGateway({ config })
    expect((await rawRequest(gateway.url, { path: '/v1/files' })).status).toBe(401)
    expect(gateway.arrived).toEqual([])
    const headers = { authorization: 'Bearer token-of-acme' }
    expect((await rawRequest(gateway.url, { path: '/v1/models/a%2Fb', headers })).status).toBe(200)
    expect(gateway.arrived[0]!.headers.authorization).toBe('Bearer key of openai')
  })

  it('is no way past a layer that fails closed', async () => {
    const mask: Layer = { name: 'mask', failure: 'closed', handle: (exchange, next) => next(exchange) }
    const closed = await socketGateway({ host: { layers: [mask] } })
    const { status, text } = await rawRequest(closed.url, { method: 'POST', path: '/v1/moderations', body: '{}' })
    expect(status).toBe(403)
    expect(text).toContain('mask')
    expect(closed.arrived).toEqual([])
    const willing = await socketGateway({ host: { layers: [{ ...mask, takesUnread: true }] } })
    expect((await rawRequest(willing.url, { method: 'POST', path: '/v1/moderations', body: '{}' })).status).toBe(200)
  })
})

describe('what OpenAI keeps of responses', () => {
  it.each<[RawRequest]>([
    [{ method: 'GET', path: '/v1/responses/resp_1?include=x' }],
    [{ method: 'DELETE', path: '/v1/responses/resp_1' }],
    [{ method: 'GET', path: '/v1/responses/resp_1/input_items' }],
    [{ method: 'POST', path: '/v1/responses/resp_1/cancel' }],
    [{ method: 'POST', path: '/v1/responses/compact', body: '{"model":"m", "input":"x"}' }],
  ])('is asked for there as it came: $method $path', async (asked) => {
    const gateway = await socketGateway()
    const { status, text } = await rawRequest(gateway.url, asked)
    expect([status, text]).toEqual([200, '{"provider":"openai"}'])
    expect(gateway.arrived).toMatchObject([{ method: asked.method, path: asked.path }])
    expect(gateway.arrived[0]!.body).toEqual(Buffer.from(asked.body ?? ''))
  })
})

describe('the official SDKs beyond chat', () => {
  it('upload, embed and ask for responses', async () => {
    const gateway = await socketGateway()
    const openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'any', maxRetries: 0 })
    const anthropic = new Anthropic({ baseURL: gateway.url, apiKey: 'any', maxRetries: 0 })
    await openai.embeddings
      .create({ model: 'text-embedding-3-small', input: 'a', encoding_format: 'float' })
      .catch(() => 0)
    await openai.files.create({ file: await toFile(Buffer.alloc(100_000, 'x'), 'x.bin'), purpose: 'user_data' })
    await openai.responses.create({ model: 'gpt-5.1', input: 'Hello' })
    await anthropic.messages.batches.list()
    expect(gateway.arrived.map(({ provider, path }) => [provider, path.split('?')[0]])).toEqual([
      ['openai', '/v1/embeddings'],
      ['openai', '/v1/files'],
      ['openai', '/v1/responses'],
      ['anthropic', '/v1/messages/batches'],
    ])
    expect(gateway.arrived[1]!.body.length).toBeGreaterThan(100_000)
  })
})

describe('bodies both ways', () => {
  const pieces: Answering = (request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'theirs' })
    response.write(': begun\n\n')
    request.on('data', (chunk: Buffer) => response.write(`data: ${chunk.length}\n\n`))
    request.on('end', () => response.end('data: end without its dialect’s last event'))
  }

  it('pass while they come: each piece is answered before the next one is sent', async () => {
    const gateway = await socketGateway({ answer: pieces })
    const asked = httpRequest(`${gateway.url}/v1/audio/translations`, { method: 'POST' })
    asked.write('12345')
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    expect(response.headers['x-request-id']).toBe('theirs')
    response.setEncoding('utf8')
    const said = response[Symbol.asyncIterator]() as AsyncIterator<string>
    let text = ''
    const until = async (words: string): Promise<void> => {
      while (!text.includes(words)) {
        const { done, value } = await said.next()
        if (done) throw new Error(`ended without ${words}`)
        text += value
      }
    }
    await until('data: 5')
    asked.write('1234567')
    await until('data: 7')
    asked.end()
    await until('last event')
    expect((await said.next()).done).toBe(true)
    expect(text).toBe(': begun\n\ndata: 5\n\ndata: 7\n\ndata: end without its dialect’s last event')
  })

  it('begin with their head, as soon as that is there', async () => {
    const gateway = await socketGateway({ answer: (_, response) => response.writeHead(200).flushHeaders() })
    const asked = httpRequest(`${gateway.url}/v1/audio/speech`, { method: 'POST' }).end()
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    expect(response.statusCode).toBe(200)
    asked.on('error', () => undefined).destroy()
  })

  it('are not held in memory: who sends faster than the provider reads has to wait', async () => {
    const gateway = await socketGateway({ answer: () => undefined })
    const asked = httpRequest(`${gateway.url}/v1/files`, { method: 'POST' })
    asked.on('error', () => undefined)
    const chunk = Buffer.alloc(1_048_576)
    let sent = 0
    while (sent < 200 && asked.write(chunk)) sent += 1
    while (sent < 200) {
      const drained = await Promise.race([once(asked, 'drain').then(() => true), stalled()])
      if (!drained) break
      asked.write(chunk)
      sent += 1
    }
    asked.destroy()
    expect(sent).toBeLessThan(100)
  })

  it('a provider that breaks off breaks the client off, and one that is gone is a 502', async () => {
    const gateway = await socketGateway({
      answer: (_, response) => {
        response.writeHead(200, { 'content-type': 'audio/mpeg' })
        response.write('half')
        setImmediate(() => response.destroy())
      },
    })
    await expect(rawRequest(gateway.url, { path: '/v1/audio/speech' })).rejects.toThrow('aborted')
    const gone = await socketGateway({ answer: (request) => request.destroy() })
    const { status, text } = await rawRequest(gone.url, {
      method: 'POST',
      path: '/v1/files',
      body: 'x'.repeat(100_000),
    })
    expect(status).toBe(502)
    expect(text).toContain('broke')
  })

  it('a client that leaves stops the provider', async () => {
    let left: (() => void) | undefined
    const stopped = new Promise<void>((done) => (left = done))
    const gateway = await socketGateway({
      answer: (request, response) => {
        response.on('close', () => left?.())
        response.writeHead(200).write('begun')
        request.resume()
      },
    })
    const asked = httpRequest(`${gateway.url}/v1/files`, { method: 'POST' })
    asked.on('error', () => undefined)
    asked.write('some')
    await once(asked, 'response')
    asked.destroy()
    await stopped
    await expect.poll(() => gateway.log.map(({ event }) => event), { timeout: 30_000 }).toContain('client-gone')
  })
})

/** Long enough for a socket to drain, were anybody reading. */
function stalled(): Promise<false> {
  return new Promise((done) => {
    setTimeout(() => done(false), 500)
  })
}

describe('paths that mean a route', () => {
  it.each([
    ['/chat/completions', openaiFixture],
    ['/v1/v1/chat/completions', openaiFixture],
    ['/v1/v1/v1/chat/completions', openaiFixture],
    ['/v1/chat/completions/', openaiFixture],
    ['/messages', anthropicFixture],
    ['/messages?beta=true', anthropicFixture],
    ['/v1/v1/messages', anthropicFixture],
    ['/v1/messages/', anthropicFixture],
    ['/messages/count_tokens', anthropicFixture],
  ])('%s', async (path, dialect) => {
    const gateway = await socketGateway()
    const asked = { method: 'POST', path, headers: { 'content-type': 'application/json' } }
    const body = JSON.stringify({ ...dialect.body(0), prehend: {} })
    const { headers, status } = await rawRequest(gateway.url, { ...asked, body })
    expect(status).toBe(200)
    const counts = path.includes('count_tokens')
    expect(headers['x-prehend-pack-id'] === undefined).toBe(counts)
    const [got] = gateway.arrived
    const query = path.includes('?') ? '?beta=true' : ''
    expect(got!.path).toBe(dialect.path + (counts ? '/count_tokens' : '') + query)
    expect(got!.body.toString()).not.toContain('prehend')
  })

  it.each(['/models', '/v1/models/', '/v1/v1/models', '/models/gpt-5.1'])('%s', async (path) => {
    const gateway = await socketGateway()
    expect((await rawRequest(gateway.url, { path })).status).toBe(200)
    expect(gateway.arrived[0]!.path).toBe(path.includes('gpt') ? '/v1/models/gpt-5.1' : '/v1/models')
  })

  it('a count of tokens keeps what is said to us from the provider', async () => {
    const gateway = await socketGateway()
    const path = '/v1/messages/count_tokens'
    const headers = { 'content-type': 'application/json' }
    for (const prehend of [{}, null, { mode: 'off' }, { mode: 'observe' }]) {
      const { max_tokens: _, ...body } = anthropicFixture.body(0, { prehend })
      expect(
        (await rawRequest(gateway.url, { method: 'POST', path, headers, body: JSON.stringify(body) })).status,
      ).toBe(200)
      expect(JSON.parse(gateway.arrived.at(-1)!.body.toString())).not.toHaveProperty('prehend')
    }
  })
})

describe('what goes nowhere', () => {
  it.each<[string, string, Record<string, string>]>([
    ['anthropic', '/v2/messages', { 'anthropic-version': '2023-06-01' }],
    ['anthropic', '/nowhere', { 'x-api-key': 'k' }],
    ['openai', '/nowhere', {}],
    ['openai', '/moderations', {}],
    ['openai', '/v1/packs/a/b', {}],
    ['openai', '/', {}],
  ])('is a 404 that speaks %s: %s', async (dialect, path, headers) => {
    const gateway = await socketGateway()
    const { status, text } = await rawRequest(gateway.url, { method: 'POST', path, headers })
    expect(status).toBe(404)
    const said = JSON.parse(text) as { type?: string; error: { type: string; message: string } }
    expect(said.error.message).toMatch(/^There is no such route\. The base URL of an OpenAI client ends in \/v1/)
    expect(said.error.message.length).toBeLessThan(250)
    expect([said.type, said.error.type]).toEqual(
      dialect === 'anthropic' ? ['error', 'not_found_error'] : [undefined, 'invalid_request_error'],
    )
    expect(gateway.arrived).toEqual([])
    expect(await metricsOf(gateway)).toContain('prehend_turned_away_total{reason="not-found"} 1')
    expect(gateway.log.filter(({ event }) => event === 'turned-away').map(({ fields }) => fields)).toMatchObject([
      { method: 'POST', path, code: 'not-found' },
    ])
  })

  it.each([
    'http://evil.example/v1/models',
    'https://127.0.0.1/v1/models',
    '/v1/../admin',
    '/v1/models/..%2f..%2fadmin',
    '/v1/models/%2e%2e/%2e%2e/admin',
    '/v1/models/%252e%252e%252fadmin',
    '/v1/files/..%5cadmin',
    String.raw`/v1/files/..\admin`,
    String.raw`/v1\..\admin`,
    '/v1/./models',
    '/v1/files/..;/admin',
    '*',
  ])('is a path that is none: %s', async (path) => {
    const gateway = await socketGateway()
    const { status, text } = await rawTarget(gateway.url, path)
    expect(status).toBe(400)
    expect(text).toContain('path:')
    expect(gateway.arrived).toEqual([])
  })

  it('is a WebSocket, which is refused at once; other protocols are offered in vain', async () => {
    const gateway = await socketGateway()
    const upgrade = {
      'connection': 'Upgrade',
      'upgrade': 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'eA==',
    }
    const { status, text, headers } = await rawRequest(gateway.url, { path: '/v1/responses', headers: upgrade })
    expect(status).toBe(426)
    expect(headers).toMatchObject({ upgrade: 'HTTP/1.1' })
    expect(text).toContain('WebSocket')
    expect(gateway.arrived).toEqual([])
    const h2c = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c' }
    expect((await rawRequest(gateway.url, { path: '/v1/files', headers: h2c })).status).toBe(200)
  })
})

/** Sends a target that no client would write. */
function rawTarget(url: string, target: string): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((done) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString()))
    socket.on('close', () => done({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), text }))
    socket.write(
      `${target === '*' ? 'OPTIONS' : 'GET'} ${target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`,
    )
  })
}
