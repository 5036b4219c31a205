import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { codecFor } from '../../codecs/index.ts'
import { memoryStore } from '../../stores/index.ts'
import { parseConfig } from '../config.ts'
import { gatewayParts } from '../gateway-parts.ts'
import { eventRing } from '../telemetry/event-ring.ts'
import { silentLogger } from '../telemetry/logger.ts'
import { gatewayMetrics } from '../telemetry/metrics.ts'
import type { ArrivedRequest } from './arrived.ts'
import { authenticator } from './authenticate.ts'
import type { Authenticate } from './authenticate.ts'
import { withoutTokens } from './client-keys.ts'
import { receive } from './receive.ts'
import { gatewayRooms } from './rooms.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

const route = { kind: 'messages', codec: codecFor('openai-chat'), path: '/v1/chat/completions' } as const

/** A server that takes requests in and does nothing else. */
async function receiver(authenticate: Authenticate) {
  const config = parseConfig({})
  const events = eventRing({ clock: Date.now })
  const given = { store: memoryStore(), logger: silentLogger, metrics: gatewayMetrics(), events }
  const parts = await gatewayParts(config, given)
  const rooms = gatewayRooms(config, 0)
  const came: Promise<ArrivedRequest>[] = []
  const server = createServer((request: IncomingMessage, response) => {
    const taken = receive(parts, {
      request,
      route,
      requestId: 'r',
      authenticate,
      ownKeys: withoutTokens(config.tokens),
      place: rooms.enter(),
    })
    came.push(taken)
    taken.then(
      () => response.end(),
      () => response.writeHead(401).end(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  return { came, port, url: `http://127.0.0.1:${port}` }
}

const anyone = authenticator(parseConfig({}))({})

describe('who asks', () => {
  it('may be found out while the request waits, and nothing of its body is lost', async () => {
    const { came, url } = await receiver(async () => {
      await delay(20)
      return { ...anyone, tenant: 'acme', keyId: 'found-later' }
    })
    const body = `{"text":"${'x'.repeat(300_000)}"}`
    expect((await fetch(url, { method: 'POST', body })).status).toBe(200)
    const { principal, tenant, bytes } = await came[0]!
    expect([tenant, principal.keyId, bytes?.toString()]).toEqual(['acme', 'found-later', body])
  })

  it('may be nobody, later', async () => {
    const { url } = await receiver(() => Promise.reject(new Error('not known')))
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401)
  })

  it('of a client that leaves meanwhile, nothing is waited for', async () => {
    const { came, port } = await receiver(async () => {
      await delay(80)
      return anyone
    })
    const socket = connect(port, '127.0.0.1')
    socket.write('POST / HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 400000\r\n\r\nsome')
    await delay(30)
    socket.destroy()
    await expect(came[0]).rejects.toThrow('the client closed the connection')
  })
})
