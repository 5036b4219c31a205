import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import { once } from 'node:events'
import { createServer as netServer } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { afterEach, describe, expect, it } from 'vitest'
import { simulatedProvider } from '../simulator/simulated-provider.ts'
import type { ScriptEntry } from '../simulator/script.ts'
import { upstream } from './pool-upstream.ts'
import type { Upstream, UpstreamReply, UpstreamTimeouts } from '../transport/upstream.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const headers = { 'x-api-key': 'k', 'anthropic-version': '2023-06-01', 'content-type': 'application/json' }
const body = { model: 'claude-opus-5', max_tokens: 100, stream: true, messages: [{ role: 'user', content: 'hi' }] }

async function simulated(script: readonly ScriptEntry[], timeouts: Partial<UpstreamTimeouts> = {}) {
  const provider = simulatedProvider({ script })
  const server = await provider.listen()
  closing.push(() => server.close())
  const up = upstream({ origin: server.url, timeouts })
  const send = (change: object = {}, signal = new AbortController().signal) =>
    up.send({ method: 'POST', path: '/v1/messages', headers, body: JSON.stringify({ ...body, ...change }), signal })
  return { provider, send }
}

async function served(listener: RequestListener): Promise<{ readonly up: Upstream; readonly server: Server }> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  return { server, up: upstream({ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }) }
}

async function textOf(reply: UpstreamReply): Promise<string> {
  const chunks = await Array.fromAsync(reply.body)
  return Buffer.concat(chunks).toString()
}

const signal = new AbortController().signal

describe('upstream', () => {
  it('passes status, headers and bytes on as they are', async () => {
    const { send } = await simulated([{ fault: { kind: 'error', status: 529, retryAfterSeconds: 9 } }])
    const reply = await send()
    expect(reply.status).toBe(529)
    expect(reply.headers).toMatchObject({ 'retry-after': '9', 'request-id': 'req_sim00000001' })
    expect(reply.headers).not.toHaveProperty('connection')
    expect(JSON.parse(await textOf(reply))).toMatchObject({ type: 'error', error: { type: 'overloaded_error' } })
  })

  it('passes chunks on as they come', async () => {
    const { send } = await simulated([{ text: 'one two', fault: { kind: 'hang', afterChunks: 4 } }])
    const abort = new AbortController()
    const reply = await send({}, abort.signal)
    let seen = ''
    for await (const chunk of reply.body) {
      seen += Buffer.from(chunk).toString()
      if (seen.includes('"text":"one"')) break
    }
    expect(seen).not.toContain('two')
  })

  it('drops the headers of one connection in both directions', async () => {
    const { up } = await served((request, response) => {
      response.setHeader('x-seen', Object.keys(request.headers).toSorted().join(' '))
      response.setHeader('connection', 'close, x-secret')
      response.setHeader('x-secret', '1')
      response.end('ok')
    })
    const reply = await up.send({
      method: 'POST',
      path: '/',
      headers: { 'TE': 'trailers', 'Connection': 'x-hop', 'X-Hop': '1', 'Content-Length': '99', 'X-Kept': '1' },
      body: 'hi',
      signal,
    })
    expect(await textOf(reply)).toBe('ok')
    expect(reply.headers).not.toHaveProperty('x-secret')
    expect(reply.headers['x-seen']).toBe('accept-encoding connection content-length host x-kept')
  })

  const replying = async (encoding: string, coded: Uint8Array) => {
    const { up } = await served((_, response) => {
      response.setHeader('content-encoding', encoding)
      response.end(coded)
    })
    return up.send({ method: 'GET', path: '/', headers: {}, signal })
  }

  it.each([
    ['gzip', gzipSync('plain text')],
    ['x-gzip', gzipSync('plain text')],
    ['GZIP', gzipSync('plain text')],
    ['deflate', deflateSync('plain text')],
    ['br', brotliCompressSync('plain text')],
    ['zstd', zstdCompressSync('plain text')],
    ['gzip, br', brotliCompressSync(gzipSync('plain text'))],
    ['identity', Buffer.from('plain text')],
    ['', Buffer.from('plain text')],
  ])('undoes a compression that nobody asked for: %s', async (encoding, coded) => {
    const reply = await replying(encoding, coded)
    expect(await textOf(reply)).toBe('plain text')
    expect(reply.headers).not.toHaveProperty('content-encoding')
  })

  it.each(['constructor', '__proto__', 'toString', 'compress', 'gzip, constructor', 'gzip, gzip, gzip, gzip'])(
    'leaves alone what it cannot undo, and says so: %s',
    async (encoding) => {
      const reply = await replying(encoding, gzipSync('plain text'))
      expect(reply.headers['content-encoding']).toBe(encoding)
      expect(await Array.fromAsync(reply.body)).toEqual([gzipSync('plain text')])
    },
  )

  it.each([
    ['gzip', Buffer.from('not compressed at all')],
    ['gzip', gzipSync('plain text').subarray(0, 20)],
    ['br', Buffer.from('not compressed at all')],
    ['zstd', zstdCompressSync('x'.repeat(5000)).subarray(0, 12)],
    ['gzip, br', brotliCompressSync('not gzip')],
  ])('is broken where a reply is not what it says it is: %s', async (encoding, coded) => {
    await expect(textOf(await replying(encoding, coded))).rejects.toMatchObject({ code: 'upstream-broken' })
  })

  it('lets a connection that dies say so through a compression', async () => {
    const { up } = await served((_, response) => {
      response.setHeader('content-encoding', 'gzip')
      response.write(gzipSync('x'.repeat(9999)).subarray(0, 20), () => response.destroy())
    })
    const reply = await up.send({ method: 'GET', path: '/', headers: {}, signal })
    await expect(textOf(reply)).rejects.toMatchObject({
      code: 'upstream-broken',
      message: expect.stringContaining('broke the exchange off') as string,
    })
  })

  it('holds the provider back when nobody reads', async () => {
    let written = 0
    const { up } = await served((_, response) => {
      const more = (): void => {
        while (written < 64_000_000 && response.write(Buffer.alloc(65_536))) written += 65_536
      }
      response.on('drain', more)
      more()
    })
    const reply = await up.send({ method: 'GET', path: '/', headers: {}, signal })
    await new Promise((done) => setTimeout(done, 200))
    expect(written).toBeLessThan(32_000_000)
    let read = 0
    for await (const chunk of reply.body) {
      read += chunk.length
      if (read > 40_000_000) break
    }
    expect(read).toBeGreaterThan(40_000_000)
  })
})

describe('an exchange that is called off', () => {
  it('ends at the provider, too', async () => {
    const { send, provider } = await simulated([{ text: 'one two', fault: { kind: 'hang', afterChunks: 4 } }])
    const abort = new AbortController()
    const reply = await send({}, abort.signal)
    const reading = textOf(reply)
    abort.abort()
    await expect(reading).rejects.toMatchObject({ code: 'upstream-broken' })
    await expect.poll(() => provider.requests[0]?.state, { interval: 2 }).toBe('aborted')
  })

  it('ends at the provider before the first byte', async () => {
    const { send, provider } = await simulated([{ fault: { kind: 'hang' } }])
    const abort = new AbortController()
    const sending = send({}, abort.signal)
    await expect.poll(() => provider.requests.length).toBe(1)
    abort.abort()
    await expect(sending).rejects.toMatchObject({ code: 'upstream-broken' })
    await expect.poll(() => provider.requests[0]?.state, { interval: 2 }).toBe('aborted')
  })

  it('ends at the provider when the reader leaves', async () => {
    const { send, provider } = await simulated([{ text: 'one', fault: { kind: 'hang', afterChunks: 1 } }])
    for await (const _ of (await send()).body) break
    await expect.poll(() => provider.requests[0]?.state, { interval: 2 }).toBe('aborted')
  })

  it('is not begun when it was called off before', async () => {
    const { send, provider } = await simulated([])
    await expect(send({}, AbortSignal.abort())).rejects.toMatchObject({ code: 'upstream-broken' })
    expect(provider.requests).toEqual([])
  })
})

describe('time limits', () => {
  const silent = { dispatch: () => true, close: () => Promise.resolve() } as unknown as Dispatcher

  it('for the connection', async () => {
    const up = upstream({ origin: 'http://a', dispatcher: silent, timeouts: { connectMs: 10 } })
    await expect(up.send({ method: 'GET', path: '/', headers: {}, signal })).rejects.toMatchObject({
      code: 'upstream-timeout',
      data: { phase: 'connect' },
    })
  })

  it('for the first byte', async () => {
    const { send, provider } = await simulated([{ fault: { kind: 'hang' } }], { firstByteMs: 20 })
    await expect(send()).rejects.toMatchObject({ code: 'upstream-timeout', data: { phase: 'first-byte' } })
    await expect.poll(() => provider.requests[0]?.state).toBe('aborted')
  })

  it('for silence within the answer', async () => {
    const { send } = await simulated([{ text: 'one two', fault: { kind: 'hang', afterChunks: 4 } }], { idleMs: 500 })
    const reply = await send()
    let seen = ''
    const reading = async () => {
      for await (const chunk of reply.body) seen += Buffer.from(chunk).toString()
    }
    await expect(reading()).rejects.toMatchObject({ code: 'upstream-timeout', data: { phase: 'idle' } })
    expect(seen).toContain('"text":"one"')
  })

  it('for the whole, however steadily it comes', async () => {
    const words = 'word '.repeat(2000)
    const { send } = await simulated([{ text: words, tokensPerSecond: 500 }], { totalMs: 100, idleMs: 60_000 })
    const whole = send({ max_tokens: 8000 }).then(textOf)
    await expect(whole).rejects.toMatchObject({ code: 'upstream-timeout', data: { phase: 'total' } })
  })
})

describe('a provider that fails', () => {
  it('is unreachable when nobody listens', async () => {
    const { up, server } = await served(() => {})
    server.close()
    await expect(up.send({ method: 'GET', path: '/', headers: {}, signal })).rejects.toMatchObject({
      code: 'upstream-unreachable',
    })
  })

  it('is broken when the connection dies before the answer', async () => {
    const { send } = await simulated([{ fault: { kind: 'connection-death' } }])
    await expect(send()).rejects.toMatchObject({ code: 'upstream-broken' })
  })

  it('is broken when the connection dies in mid-stream; what came before is delivered', async () => {
    const { send } = await simulated([{ text: 'one two', fault: { kind: 'connection-death', afterChunks: 4 } }])
    const reply = await send()
    let seen = ''
    const reading = async () => {
      for await (const chunk of reply.body) seen += Buffer.from(chunk).toString()
    }
    await expect(reading()).rejects.toMatchObject({ code: 'upstream-broken' })
    expect(seen).toContain('"text":"one"')
  })

  it('is not asked with a header that cannot be sent', async () => {
    const { up } = await served(() => {})
    const sending = up.send({ method: 'GET', path: '/', headers: { 'x-bad': 'a\nb' }, signal })
    await expect(sending).rejects.toMatchObject({ code: 'invalid-input' })
  })
})

describe('a server that says 100 Continue unasked', () => {
  const whole = 'HTTP/1.1 200 OK\r\ncontent-length: 24\r\n\r\nHTTP/1.1 100 Continue\r\n\r'
  const goOn = 'HTTP/1.1 100 Continue\r\n\r\n'
  const twice = `HTTP/1.1 100 Go\r\nserver: x\r\n\r\n${goOn}`

  /** Writes pieces, one after the other, for each request. */
  async function speaking(pieces: readonly string[]): Promise<Upstream> {
    const server = netServer((socket) => {
      socket.on('error', () => undefined)
      const speak = async (): Promise<void> => {
        for (const piece of pieces) {
          socket.write(piece)
          await after(10)
        }
      }
      socket.on('data', () => void speak())
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const up = upstream({ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
    closing.push(async () => {
      await up.close()
      server.close()
    })
    return up
  }

  it.each([
    ['with the reply', [goOn + whole]],
    ['before it', [goOn, whole]],
    ['in pieces', ['HT', goOn.slice(2, 19), goOn.slice(19), whole.slice(0, 11), whole.slice(11)]],
    ['twice', [twice, whole]],
    ['never', [whole]],
  ])('is read as one that does not: %s', async (_, pieces) => {
    const up = await speaking(pieces)
    for (let request = 0; request < 2; request += 1) {
      const reply = await up.send({ method: 'GET', path: '/', headers: {}, signal })
      expect(reply.status).toBe(200)
      expect(await textOf(reply)).toBe(whole.slice(whole.indexOf('\r\n\r\n') + 4))
    }
  })

  it('in a body the same words are words', async () => {
    const up = await speaking(['HTTP/1.1 200 OK\r\ncontent-length: 25\r\n\r\n', goOn])
    const reply = await up.send({ method: 'GET', path: '/', headers: {}, signal })
    expect(await textOf(reply)).toBe(goOn)
  })
})
