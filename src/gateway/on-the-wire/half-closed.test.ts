import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { simulatedProvider } from '../../providers/index.ts'
import type { ScriptEntry, SimulatedProvider } from '../../providers/index.ts'
import { memoryStore } from '../../stores/index.ts'
import { openGateway, parseConfig } from '../index.ts'
import { anthropicFixture, openaiFixture } from './test-gateway.fixture.ts'
import type { DialectFixture } from './test-gateway.fixture.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

interface Served {
  readonly url: URL
  readonly provider: SimulatedProvider
}

async function served(script: readonly ScriptEntry[]): Promise<Served> {
  const provider = simulatedProvider({ script })
  const server = await provider.listen()
  const upstreams = {
    openai: { baseUrl: `${server.url}/v1`, apiKey: 'k' },
    anthropic: { baseUrl: server.url, apiKey: 'k' },
  }
  const gateway = await openGateway(parseConfig({ port: 0, upstreams }), { store: memoryStore() })
  closers.push(
    () => gateway.close(0),
    () => server.close(),
  )
  return { url: new URL(gateway.url), provider }
}

/** A client that has sent its request. */
async function asking({ url }: Served, dialect: DialectFixture, more: object, version = '1.1'): Promise<Socket> {
  const socket = connect({ port: Number(url.port), host: url.hostname, allowHalfOpen: true })
  await once(socket, 'connect')
  const body = JSON.stringify(dialect.body(1, { ...more }))
  const headers = {
    ...dialect.headers,
    'host': url.host,
    'content-type': 'application/json',
    'content-length': body.length,
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST ${dialect.path} HTTP/${version}\r\n${head.join('')}\r\n${body}`)
  return socket
}

async function readAll(socket: Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  return text
}

const versions = ['1.0', '1.1']

describe.each([openaiFixture, anthropicFixture])('a client that ends its side: $name', (dialect) => {
  it('gets its answer', async () => {
    const gateway = await served([{ text: 'late but whole', firstByteMs: 100 }])
    const socket = await asking(gateway, dialect, {})
    socket.end()
    const text = await readAll(socket)
    expect(text).toContain('HTTP/1.1 200 OK')
    expect(text).toContain('late but whole')
    expect(gateway.provider.requests[0]?.state).toBe('answered')
  })

  it('gets its stream', async () => {
    const gateway = await served([{ text: 'one two three', firstByteMs: 50, tokensPerSecond: 50 }])
    const socket = await asking(gateway, dialect, { stream: true })
    socket.end()
    const text = await readAll(socket)
    expect(text).toContain('three')
    expect(text).toContain(dialect.name === 'openai-chat' ? '[DONE]' : 'message_stop')
  })

  it.each(versions)('in the middle of a stream, too, HTTP/%s', async (version) => {
    const gateway = await served([{ text: 'one two three', tokensPerSecond: 20 }])
    const socket = await asking(gateway, dialect, { stream: true }, version)
    await once(socket, 'readable')
    socket.end()
    expect(await readAll(socket)).toContain('three')
  })
})

describe.each([openaiFixture, anthropicFixture])('a client that has gone without a word: $name', (dialect) => {
  it.each(versions)('stops the provider while the answer is waited for, HTTP/%s', async (version) => {
    const gateway = await served([{ fault: { kind: 'hang' } }])
    const socket = await asking(gateway, dialect, {}, version)
    await expect.poll(() => gateway.provider.requests.length).toBe(1)
    socket.destroy()
    await expect.poll(() => gateway.provider.requests[0]?.state).toBe('aborted')
  })

  it.each(versions)('stops the provider while a stream is silent, HTTP/%s', async (version) => {
    const gateway = await served([{ text: 'one two three four', fault: { kind: 'hang', afterChunks: 4 } }])
    const socket = await asking(gateway, dialect, { stream: true }, version)
    let text = ''
    socket.on('data', (chunk) => (text += String(chunk)))
    await expect.poll(() => text).toContain('one')
    socket.destroy()
    await expect.poll(() => gateway.provider.requests[0]?.state).toBe('aborted')
  })
})
