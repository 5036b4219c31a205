import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { memoryStore } from '../../stores/index.ts'
import { openGateway, parseConfig } from '../index.ts'
import type { GatewayConfigInput } from '../index.ts'

const opened: (() => Promise<void>)[] = []

/** The URL of a gateway in front of a server on a socket that answers as a test says. */
export async function gatewayBefore(listener: RequestListener, config: GatewayConfigInput = {}): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const upstreams = { openai: { baseUrl: `${origin}/v1` }, anthropic: { baseUrl: origin } }
  const gateway = await openGateway(parseConfig({ port: 0, upstreams, ...config }), { store: memoryStore() })
  opened.push(async () => {
    await gateway.close(0)
    server.closeAllConnections()
    server.close()
  })
  return gateway.url
}

/** Closes every gateway that a test has left open, and the server behind it. */
export async function closeGateways(): Promise<void> {
  for (const close of opened.splice(0)) await close()
}
