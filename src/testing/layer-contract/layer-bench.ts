import { codecFor, sseParser } from '../../codecs/index.ts'
import type { ModelReply } from '../../core/index.ts'
import type { Layer } from '../../gateway/index.ts'
import { fetchUpstream, simulatedProvider } from '../../providers/index.ts'
import type { SimulatedRequest, Script, Upstream } from '../../providers/index.ts'
import type { HiddenTool } from '../../gateway/index.ts'
import { memoryStore } from '../../stores/index.ts'
import type { ReceiptResult } from '../../stores/index.ts'
import type { ContractDialect } from './contract-dialect.ts'

export interface LayerBenchOptions {
  readonly layer: Layer
  readonly mode?: 'on' | 'observe' | 'off'
  readonly script?: Script
  /** Instead of the simulated provider. */
  readonly upstream?: Upstream
  readonly hiddenTools?: readonly HiddenTool[]
}

/** What came of a request. */
export interface Sent {
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

/** A gateway with one layer of a host's, and a provider behind it. */
export interface LayerBench {
  send(dialect: ContractDialect, body: object, path?: string): Promise<Sent>
  /** Requests that have reached the provider. */
  readonly requests: readonly SimulatedRequest[]
  /** The results of the receipts, the newest first. */
  results(): Promise<readonly (ReceiptResult | undefined)[]>
  /** What `/metrics` shows. */
  metrics(): Promise<string>
}

/** Opens a gateway for the time of a work. */
export async function withLayer(options: LayerBenchOptions, work: (bench: LayerBench) => Promise<void>): Promise<void> {
  // Whoever tests a store need not load a server.
  const { onlyUpstream, openGateway, parseConfig } = await import('../../gateway/index.ts')
  const { layer, mode = 'on', script = [], hiddenTools = [] } = options
  const provider = simulatedProvider({ script })
  const store = memoryStore()
  const upstream =
    options.upstream ?? fetchUpstream({ name: 'simulated', origin: 'http://simulated', fetch: provider.fetch })
  const upstreams = onlyUpstream(upstream)
  const gateway = await openGateway(parseConfig({ port: 0, mode, policy: 'thrifty' }), {
    store,
    upstreams,
    layers: [layer],
    hiddenTools,
  })
  try {
    await work({
      send: (dialect, body, path = dialect.path) => posted(gateway.url + path, dialect, body),
      requests: provider.requests,
      results: async () => (await store.read('receipts').list('default', { limit: 9 })).map(({ result }) => result),
      metrics: async () => (await fetch(`${gateway.url}/metrics`)).text(),
    })
  } finally {
    await gateway.close(0)
  }
}

async function posted(url: string, { headers }: ContractDialect, body: object): Promise<Sent> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** What a reply says, whole or streamed. */
export function readReply({ name }: ContractDialect, { headers, text }: Sent): ModelReply {
  const codec = codecFor(name)
  if (!headers.get('content-type')?.startsWith('text/event-stream')) return codec.decodeReply(text)
  const parser = sseParser()
  const { initial, step, reply } = codec.reducer()
  return reply([...parser.push(text), ...parser.end()].reduce(step, initial))
}
