import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { simulatedProvider } from '../../providers/index.ts'
import type { Script, SimulatedProvider } from '../../providers/index.ts'
import { memoryStore } from '../../stores/index.ts'
import type { Store } from '../../stores/index.ts'
import { openGateway, parseConfig } from '../index.ts'
import type { GatewayConfigInput, LogFields } from '../index.ts'
import type { AgentTool } from './many-tools.fixture.ts'
import { gatheredLog } from './gathered-log.fixture.ts'

/** Words that mean the same to the encoder of these tests, and have nothing in common. */
const concepts = [
  ['umbrella', 'drizzle', 'forecast', 'rainfall'],
  ['parcel', 'courier', 'shipment', 'dispatch'],
  ['invoice', 'billing', 'receivable'],
  ['holiday', 'absence', 'vacation'],
] as const

/** A number for each concept, and one that all texts have. */
export function conceptsOf(text: string): readonly number[] {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? []
  return [...concepts.map((names) => words.filter((word) => names.some((name) => name === word)).length), 0.01]
}

/** Does as `/v1/embeddings` of OpenAI does. */
export type Embedding = (texts: readonly string[], response: ServerResponse) => void

const answering = (response: ServerResponse, data: unknown): void =>
  void response
    .setHeader('content-type', 'application/json')
    .end(JSON.stringify({ object: 'list', data, model: 'tiny', usage: { prompt_tokens: 7, total_tokens: 7 } }))

const entry = (text: string, index: number) => ({ object: 'embedding', index, embedding: conceptsOf(text) })

/** Ways in which a server may answer. */
export const embeddings = {
  'right': (texts, response) => answering(response, texts.map(entry)),
  'out of order': (texts, response) => answering(response, texts.map(entry).toReversed()),
  'never': () => undefined,
  'one too few': (texts, response) => answering(response, texts.slice(1).map(entry)),
  'one twice': (texts, response) =>
    answering(
      response,
      [...texts.slice(1), ''].map((text) => entry(text, 0)),
    ),
  'other lengths': (texts, response) =>
    answering(
      response,
      texts.map((text, index) => ({ index, embedding: [...conceptsOf(text), ...Array(index + 1).fill(1)] })),
    ),
  'no numbers': (texts, response) =>
    answering(
      response,
      texts.map((_, index) => ({ index, embedding: [null, 'NaN', 1, 1, 1] })),
    ),
  'zeros': (texts, response) =>
    answering(
      response,
      texts.map((_, index) => ({ index, embedding: [0, 0, 0, 0, 0] })),
    ),
  'no key': (_, response) => void response.writeHead(401).end('{"error":{"message":"bad key of the-secret-text"}}'),
  'no JSON': (_, response) => void response.end('<html>'),
  'a flood': (_, response) => {
    response.setHeader('content-type', 'application/json')
    const piece = ' '.repeat(1024 * 1024)
    const more = (): void => {
      if (response.destroyed) return
      response.write(piece)
      setImmediate(more)
    }
    more()
  },
} as const satisfies Readonly<Record<string, Embedding>>

export interface EmbeddingServer {
  readonly url: string
  /** The texts of each request, and the key that came with it. */
  readonly asked: {
    readonly texts: readonly string[]
    readonly key: string
    readonly path: string
    readonly body: object
  }[]
  answers: Embedding
}

const closers: (() => Promise<unknown>)[] = []

export async function closeMeaningGateways(): Promise<void> {
  for (const close of closers.splice(0)) await close()
}

export async function embeddingServer(answers: Embedding = embeddings.right): Promise<EmbeddingServer> {
  const asked: EmbeddingServer['asked'] = []
  const listener = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString()) as { readonly input: readonly string[] }
    asked.push({ texts: body.input, key: request.headers.authorization ?? '', path: request.url ?? '', body })
    it.answers(body.input, response)
  }
  const server = createServer((request, response) => void listener(request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  closers.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const it: EmbeddingServer = { url, asked, answers }
  return it
}

export interface MeaningGateway {
  readonly url: string
  readonly provider: SimulatedProvider
  readonly embedder: EmbeddingServer
  readonly store: Store
  readonly log: { readonly level: string; readonly event: string; readonly fields: LogFields }[]
  metrics(): Promise<string>
  close(): Promise<void>
}

export interface MeaningGatewayOptions {
  readonly config?: GatewayConfigInput
  readonly embedder?: EmbeddingServer
  /** Beside the upstream and the model; false where nothing makes vectors. */
  readonly embeddings?: object | false
  readonly script?: Script
  readonly store?: Store
}

/** A gateway before two servers over HTTP: one that answers models, and one that makes vectors. */
export async function meaningGateway(options: MeaningGatewayOptions = {}): Promise<MeaningGateway> {
  const { script = () => 'Done.', store = memoryStore(), embedder = await embeddingServer() } = options
  const provider = simulatedProvider({ script, strict: false })
  const server = await provider.listen()
  const { log, logger } = gatheredLog()
  const config = parseConfig({
    port: 0,
    ...(options.embeddings !== false && {
      embeddings: { upstream: 'local', model: 'tiny', waitMs: 2_000, ...options.embeddings },
    }),
    ...options.config,
    upstreams: {
      openai: { baseUrl: `${server.url}/v1`, apiKey: 'key' },
      anthropic: { baseUrl: server.url, apiKey: 'key' },
      local: { baseUrl: embedder.url, apiKey: 'sk-of-all', models: ['tiny'] },
      ...options.config?.upstreams,
    },
  })
  const gateway = await openGateway(config, {
    store,
    logger,
  })
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => (closing ??= gateway.close(0))
  closers.push(close, () => server.close())
  const metrics = async (): Promise<string> => (await fetch(`${gateway.url}/metrics`)).text()
  return { url: gateway.url, provider, embedder, store, log, metrics, close }
}

const schema = { type: 'object', properties: { of: { type: 'string' } } } as const

/** Thirty tools of servers, two of which say what they do in words that no question of these tests has. */
export const meaningTools: readonly AgentTool[] = [
  ...Array.from({ length: 28 }, (_, at) => {
    return { name: `mcp__desk__task_${at}`, description: `Handles task ${at} of the desk.`, schema }
  }),
  { name: 'mcp__sky__outlook', description: 'Tells drizzle and rainfall of a place.', schema },
  { name: 'mcp__post__trace', description: 'Traces a shipment of a courier.', schema },
]

/** What a gateway has counted, such as `tool made`. */
export async function counted({ metrics }: Pick<MeaningGateway, 'metrics'>, what: string): Promise<number> {
  const [of = '', result = ''] = what.split(' ')
  const line = new RegExp(`^prehend_embeddings_total\\{of="${of}",result="${result}"\\} (\\d+)$`, 'm')
  return Number(line.exec(await metrics())?.[1] ?? 0)
}

/** Waits until something holds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + 10_000
  while (!(await holds())) {
    if (performance.now() > endMs) throw new Error('it never holds')
    await new Promise((done) => void setTimeout(done, 5))
  }
}
