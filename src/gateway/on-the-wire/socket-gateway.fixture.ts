import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { memoryStore } from '../../stores/index.ts'
import type { Store } from '../../stores/index.ts'
import { openGateway, parseConfig } from '../index.ts'
import type { GatewayConfigInput, LogFields, OpenGatewayParts } from '../index.ts'

/** A request as a provider got it. */
export interface Arrived {
  readonly provider: string
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

export type Answering = (request: IncomingMessage, response: ServerResponse) => void

export interface SocketGatewayOptions {
  readonly config?: GatewayConfigInput
  /** Those that are configured, each on a socket of its own, with a key of its own. */
  readonly providers?: readonly string[]
  /** More of their settings. */
  readonly settings?: Readonly<Record<string, { readonly dialect?: string; readonly models?: string[] }>>
  /** Instead of reading the body and answering with `{"provider": …}`. */
  readonly answer?: Answering
  readonly host?: Pick<OpenGatewayParts, 'layers'>
}

export interface SocketGateway {
  readonly url: string
  readonly arrived: readonly Arrived[]
  readonly store: Store
  readonly log: readonly { readonly event: string; readonly fields: LogFields }[]
}

/** Those whose base URL ends before the version. */
const withoutVersion: ReadonlySet<string> = new Set(['anthropic', 'google'])

const closers: (() => Promise<void>)[] = []

export async function closeSocketGateways(): Promise<void> {
  for (const close of closers.splice(0)) await close()
}

/** A gateway whose providers are plain servers that write down what they get. */
export async function socketGateway(options: SocketGatewayOptions = {}): Promise<SocketGateway> {
  const { providers = ['openai', 'anthropic'], settings = {}, answer } = options
  const arrived: Arrived[] = []
  const addresses = await Promise.all(
    providers.map(async (provider) => {
      const noting: Answering = (request, response) => {
        const chunks: Buffer[] = []
        request.on('data', (chunk: Buffer) => void chunks.push(chunk))
        request.on('end', () => {
          const { method = '', url: path = '', headers } = request
          arrived.push({ provider, method, path, headers, body: Buffer.concat(chunks) })
          response.setHeader('content-type', 'application/json').end(JSON.stringify({ provider }))
        })
      }
      const url = await plainServer(answer ?? noting)
      const baseUrl = withoutVersion.has(provider) ? url : `${url}/v1`
      return [provider, { baseUrl, apiKey: `key of ${provider}`, ...settings[provider] }] as const
    }),
  )
  const log: { event: string; fields: LogFields }[] = []
  const note = (event: string, fields: LogFields = {}): void => void log.push({ event, fields })
  const store = memoryStore()
  const config = parseConfig({ port: 0, upstreams: Object.fromEntries(addresses), ...options.config })
  const gateway = await openGateway(config, {
    store,
    logger: { info: note, warn: note, error: note },
    ...options.host,
  })
  closers.unshift(() => gateway.close(0))
  return { url: gateway.url, arrived, store, log }
}

export async function plainServer(listener: Answering): Promise<string> {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
