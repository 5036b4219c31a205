import { connect } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { memoryStore } from '../../stores/index.ts'
import { openGateway, parseConfig } from '../index.ts'
import {
  anthropicFixture,
  closeTestGateways,
  handleIn,
  needleOf,
  openaiFixture,
  post,
  shortenedSession,
  testGateway,
} from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const tokens = [
  { token: 'token-of-acme', tenant: 'acme' },
  { token: 'token-of-umbrella', tenant: 'umbrella' },
]
const acme = { authorization: 'Bearer token-of-acme' }
const umbrella = { authorization: 'Bearer token-of-umbrella' }

const errorOf = async (response: Response): Promise<{ type: string; message: string; param?: string; code?: string }> =>
  ((await response.json()) as { error: { type: string; message: string } }).error

describe.each([openaiFixture, anthropicFixture])('who may use the gateway: $name', (dialect) => {
  it.each([
    ['no token', {}],
    ['a wrong token', { authorization: 'Bearer token-of-nobody' }],
    ['a prefix of a token', { authorization: 'Bearer token-of-acm' }],
    ['another scheme', { authorization: 'Basic token-of-acme' }],
  ])('%s is a 401 in the dialect, and nothing goes upstream', async (_, headers: Record<string, string>) => {
    const gateway = await testGateway({ config: { tokens } })
    const response = await post(gateway, { ...dialect, headers: {} }, dialect.body(1), headers)
    expect(response.status).toBe(401)
    expect((await errorOf(response)).type).toBe(
      dialect.name === 'openai-chat' ? 'invalid_request_error' : 'authentication_error',
    )
    expect(gateway.provider.requests).toEqual([])
  })

  it.each([
    ['authorization', 'Bearer token-of-acme'],
    ['x-api-key', 'token-of-acme'],
  ])('a token comes as %s', async (name, value) => {
    const gateway = await testGateway({ config: { tokens }, script: ['fine'] })
    const { 'x-api-key': _, 'authorization': __, ...rest } = dialect.headers as Record<string, string>
    const response = await post(gateway, { ...dialect, headers: rest }, dialect.body(1), { [name]: value })
    expect(response.status).toBe(200)
    expect(response.headers.get('x-prehend-pack-id')).toMatch(/^[0-9a-f]{64}$/)
  })

  it("context-guru PR#14: one tenant neither resolves another's handles nor reads its packs", async () => {
    let handle = ''
    const script = (_: unknown, turn: number) =>
      turn === 3 ? { parts: [{ type: 'tool-call' as const, name: 'rehydrate', arguments: { handle } }] } : 'done'
    const gateway = await testGateway({ config: { tokens }, script })
    await shortenedSession(gateway, { ...dialect, headers: { ...dialect.headers, ...acme } })
    await (await post(gateway, dialect, dialect.body(9), acme)).text()
    const { body } = gateway.provider.requests.at(-1)!
    handle = handleIn(body, 1)!
    expect(handle).toBeDefined()

    await (await post(gateway, dialect, dialect.body(1), umbrella)).text()
    const answered = gateway.provider.requests.at(-1)!.body
    expect(answered).toContain('Nothing is kept under the handle')
    expect(answered.split(needleOf(1))).toHaveLength(2)

    const list = async (headers: Record<string, string>): Promise<{ packId: string; requestId: string }[]> =>
      ((await (await fetch(`${gateway.url}/v1/packs`, { headers })).json()) as { data: never[] }).data
    const [ofAcme, ofUmbrella] = [await list(acme), await list(umbrella)]
    expect([ofAcme.length, ofUmbrella.length]).toEqual([3, 1])
    for (const { packId, requestId } of ofAcme) {
      for (const id of [packId, requestId]) {
        expect((await fetch(`${gateway.url}/v1/packs/${id}`, { headers: acme })).status).toBe(200)
        expect((await fetch(`${gateway.url}/v1/packs/${id}`, { headers: umbrella })).status).toBe(404)
        expect((await fetch(`${gateway.url}/v1/packs/${id}`)).status).toBe(401)
      }
    }
  })

  it('two tenants that say the same have handles of their own', async () => {
    const gateway = await testGateway({ config: { tokens }, script: () => 'done' })
    const handles: (string | undefined)[] = []
    for (const headers of [acme, umbrella]) {
      await shortenedSession(gateway, { ...dialect, headers: { ...dialect.headers, ...headers } })
      handles.push(handleIn(gateway.provider.requests.at(-1)!.body, 1))
    }
    expect(handles[0]).toBeDefined()
    expect(handles[1]).toBeDefined()
    expect(handles[0]).not.toBe(handles[1])
  })
})

describe('listening', () => {
  it.each(['0.0.0.0', '::', '192.168.1.10', 'example.org'])(
    'headroom#3283: refuses %s without a token',
    async (host) => {
      const opening = openGateway(parseConfig({ host, port: 0 }), { store: memoryStore() })
      await expect(opening).rejects.toMatchObject({ code: 'invalid-input', data: { field: 'tokens' } })
    },
  )

  it('listens beyond loopback with one', async () => {
    const gateway = await openGateway(parseConfig({ host: '0.0.0.0', port: 0, tokens }), { store: memoryStore() })
    const { port } = new URL(gateway.url)
    expect((await fetch(`http://127.0.0.1:${port}/v1/models`)).status).toBe(401)
    expect((await fetch(`http://127.0.0.1:${port}/health/liveness`)).status).toBe(200)
    await gateway.close(0)
  })

  it('closes when the last request has ended, though its connection is kept alive', async () => {
    const gateway = await openGateway(parseConfig({ port: 0 }), { store: memoryStore() })
    const { port } = new URL(gateway.url)
    const body = JSON.stringify({ model: 'gpt-5.1', messages: [{ role: 'user', content: 'Hello' }] })
    const path = `POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body.length}\r\n\r\n`
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(path + body.slice(0, -1))
    await new Promise((done) => setTimeout(done, 50))
    const closing = gateway.close(60_000)
    const closed = new Promise((done) => socket.on('close', done))
    socket.write(body.slice(-1))
    const reply = await new Promise((done) => socket.once('data', (bytes) => done(String(bytes))))
    expect(reply).toContain('HTTP/1.1 200')
    await Promise.all([closing, closed])
  })

  it('says so when the port is taken', async () => {
    const gateway = await testGateway()
    const config = parseConfig({ port: Number(new URL(gateway.url).port) })
    await expect(openGateway(config, { store: memoryStore() })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })
})

/** Sends raw bytes and gives what comes back before the connection closes. */
function raw(gateway: TestGateway, head: string, body: () => Buffer | undefined): Promise<string> {
  return new Promise((done) => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString()))
    socket.on('close', () => done(text))
    socket.on('error', () => undefined)
    socket.write(head)
    const push = (): void => {
      const chunk = body()
      if (!chunk || socket.destroyed) return
      if (socket.write(chunk)) setImmediate(push)
      else socket.once('drain', push)
    }
    push()
  })
}

describe.each([openaiFixture, anthropicFixture])('bad input: $name', (dialect) => {
  const limits = { bodyBytes: 100_000 }
  const head = (more: string): string => {
    const headers = Object.entries(dialect.headers).map(([name, value]) => `${name}: ${value}\r\n`)
    return `POST ${dialect.path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${headers.join('')}${more}\r\n`
  }

  it('a body over the limit is a 413 in the dialect, named by its length before any of it is read', async () => {
    const gateway = await testGateway({ config: { limits } })
    const text = await raw(gateway, head('content-length: 104857600\r\n'), () => undefined)
    expect(text).toMatch(/^HTTP\/1\.1 413 /)
    expect(text).toContain(dialect.name === 'openai-chat' ? 'invalid_request_error' : 'request_too_large')
    expect(text).toContain('100000 bytes')
  })

  it('a body of 100 MB without a length is one, too, and we hear it out for a while', async () => {
    const gateway = await testGateway({ config: { limits } })
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(1_048_576, 'x'), Buffer.from('\r\n')])
    let sent = 0
    const text = await raw(gateway, head('transfer-encoding: chunked\r\n'), () =>
      (sent += 1) > 100 ? undefined : chunk,
    )
    expect(text).toMatch(/^HTTP\/1\.1 413 /)
    expect(gateway.provider.requests).toEqual([])
  })

  it("what no codec reads is the provider's to refuse, and has a receipt that says so", async () => {
    const gateway = await testGateway()
    const response = await post(gateway, dialect, { ...dialect.body(0), messages: 'hi' })
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect((await errorOf(response)).type).toBe('invalid_request_error')
    expect(response.headers.get('x-prehend-skipped')).toBe('decode')
    expect(gateway.provider.requests).toHaveLength(1)
    await vi.waitFor(async () => {
      const [filed] = await gateway.store.read('receipts').list('default', { limit: 1 })
      expect(filed).toMatchObject({ mode: 'unpacked', result: { status: response.status, skipped: ['decode'] } })
    })
  })

  it.each([
    [{ compress: true }, 'prehend.compress'],
    [{ mode: 'fast' }, 'prehend.mode'],
    [{ policy: 'reckless' }, 'prehend.policy'],
    ['yes', 'prehend'],
  ])('a wrong setting in the body is named: %j', async (prehend, field) => {
    const gateway = await testGateway()
    const response = await post(gateway, dialect, dialect.body(1, { prehend }))
    expect(response.status).toBe(400)
    expect((await errorOf(response)).message).toContain(`${field}:`)
  })

  it('no settings in the body are none, and go no further', async () => {
    const gateway = await testGateway({ script: () => 'fine' })
    for (const prehend of [null, {}])
      expect((await post(gateway, dialect, dialect.body(1, { prehend }))).status).toBe(200)
    for (const { body } of gateway.provider.requests) expect(body).not.toContain('"prehend"')
  })

  it("an unknown model is the provider's to refuse", async () => {
    const gateway = await testGateway()
    const response = await post(gateway, dialect, dialect.body(1, { model: 'nobody-9' }))
    expect(response.status).toBe(404)
    expect((await errorOf(response)).message).toContain('nobody-9')
    expect(gateway.provider.requests).toHaveLength(1)
  })

  it('lone surrogates and odd numbers go through as they came', async () => {
    const gateway = await testGateway({ script: ['fine'] })
    const body = JSON.stringify(dialect.body(1)).replace('Find the value.', String.raw`\ud800 and \u0000`)
    const odd = body.replace(
      '"tools"',
      '"metadata": {"n": 1.0000000000000000001e2, "big": 123456789012345678901234567890},  "tools"',
    )
    expect((await post(gateway, dialect, odd)).status).toBe(200)
    const sent = gateway.provider.requests[0]!.body
    expect(sent).toContain(String.raw`\ud800 and \u0000`)
    expect(sent).toContain('{"n": 1.0000000000000000001e2, "big": 123456789012345678901234567890},  "tools"')
  })

  it('a path that nobody has is a 404', async () => {
    const gateway = await testGateway()
    for (const [method, path] of [
      ['POST', '/v2/chat'],
      ['GET', '/'],
    ] as const) {
      const response = await fetch(gateway.url + path, { method })
      expect(response.status).toBe(404)
      expect((await errorOf(response)).message).toContain('no such')
    }
  })
})

/** What comes back for bytes as they are. */
const rawAnswer = (port: number, text: string): Promise<string> =>
  new Promise((done, failed) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(text))
    let answer = ''
    socket.setEncoding('utf8').on('data', (piece: string) => (answer += piece))
    socket.on('error', failed).on('close', () => done(answer))
  })

it.each([undefined, tokens])('load balancers that ask in their own way are answered', async (all) => {
  const gateway = await testGateway({ config: all ? { tokens: all } : {} })
  const port = Number(new URL(gateway.url).port)
  for (const line of [
    'OPTIONS / HTTP/1.0',
    'GET /health/readiness HTTP/1.0',
    'GET /healthz HTTP/1.0',
    'HEAD /health HTTP/1.0',
    'OPTIONS / HTTP/1.1\r\nhost: localhost\r\nconnection: close',
  ])
    expect([line, await rawAnswer(port, `${line}\r\n\r\n`)]).toEqual([line, expect.stringMatching(/^HTTP\/1.1 200 /)])
  expect(await rawAnswer(port, 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /)
  const foreign = await rawAnswer(port, 'GET /healthz HTTP/1.0\r\nhost: app.example\r\n\r\n')
  expect(foreign).toMatch(all ? /^HTTP\/1.1 200 / : /^HTTP\/1.1 403 /)
})

it('a gateway that stops is not ready in any way of asking', async () => {
  const gateway = await testGateway({ config: { limits: { drainDelayMs: 400 } } })
  const closing = gateway.close(1000)
  for (const [method, path] of [
    ['OPTIONS', '/'],
    ['GET', '/health'],
  ] as const)
    expect((await fetch(gateway.url + path, { method })).status).toBe(503)
  expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200)
  await closing
})
