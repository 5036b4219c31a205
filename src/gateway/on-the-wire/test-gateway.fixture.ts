import type { Dialect } from '../../core/index.ts'
import { fetchUpstream, manualClock, simulatedProvider } from '../../providers/index.ts'
import type { ManualClock, Script, SimulatedProvider, Upstream } from '../../providers/index.ts'
import { memoryStore } from '../../stores/index.ts'
import type { Store } from '../../stores/index.ts'
import { modelCatalogue } from '../../tokens/index.ts'
import { onlyUpstream, openGateway, parseConfig } from '../index.ts'
import type { Gateway, GatewayConfigInput, LogFields, OpenGatewayParts, Upstreams } from '../index.ts'
import { gatheredLog } from './gathered-log.fixture.ts'

export interface TestGatewayOptions {
  readonly config?: GatewayConfigInput
  readonly script?: Script
  readonly store?: Store
  /** A provider and a clock that several gateways share. */
  readonly provider?: SimulatedProvider
  readonly clock?: ManualClock
  /** Instead of the simulated provider in this process. */
  readonly upstream?: Upstream
  /** Instead of one for everything. */
  readonly upstreams?: Upstreams
  /** The dialect that the provider speaks; the client's own by default. */
  readonly speaks?: Dialect
  /** What a host adds of its own. */
  readonly host?: Pick<
    OpenGatewayParts,
    'layers' | 'sources' | 'hiddenTools' | 'tools' | 'extensions' | 'tracing' | 'hot' | 'blobs'
  >
}

export interface TestGateway {
  readonly url: string
  readonly provider: SimulatedProvider
  readonly store: Store
  readonly log: { level: string; event: string; fields: LogFields }[]
  /** The clock of the gateway and of its provider. */
  readonly clock: ManualClock
  /** At once by default. */
  close(graceMs?: number): Promise<void>
}

const providerKeys = { 'authorization': 'Bearer key', 'x-api-key': 'key', 'x-goog-api-key': 'key' }
const opened: Gateway[] = []

/** A gateway on a free port with the simulated provider behind it. */
export async function testGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const { script = [], store = memoryStore() } = options
  const clock = options.clock ?? manualClock(Date.UTC(2026, 10, 21))
  const config = parseConfig({ port: 0, policy: 'thrifty', ...options.config })
  const provider = options.provider ?? simulatedProvider({ script, clock, catalogue: modelCatalogue(config) })
  const upstream =
    options.upstream ??
    fetchUpstream({
      name: 'simulated',
      origin: 'http://simulated',
      fetch: provider.fetch,
      // A client's token is none of the provider's keys.
      ...(config.tokens.length > 0 && { headers: providerKeys }),
    })
  const { log, logger } = gatheredLog()
  const gateway = await openGateway(config, {
    store,
    upstreams: options.upstreams ?? speaking(onlyUpstream(upstream), options.speaks),
    logger,
    clock: () => clock.now(),
    wait: (ms, signal) => clock.wait(ms, signal),
    ...options.host,
  })
  opened.push(gateway)
  return { url: gateway.url, provider, store, log, clock, close: (graceMs = 0) => gateway.close(graceMs) }
}

function speaking(upstreams: Upstreams, dialect: Dialect | undefined): Upstreams {
  if (dialect === undefined) return upstreams
  return { ...upstreams, for: (wanted) => ({ ...upstreams.for(wanted), dialect }) }
}

/** Closes every gateway that a test has left open. */
export async function closeTestGateways(): Promise<void> {
  await Promise.all(opened.splice(0).map((gateway) => gateway.close(0)))
}

/** A long tool result, different for every number, with one line that nothing else has. */
export function longResult(number: number, lines = 400): string {
  const body = Array.from(
    { length: lines },
    (_, line) => `src/module-${number}/file-${line}.ts: export const value${line} = ${line * number}`,
  )
  body[Math.floor(lines / 2)] = needleOf(number)
  return body.join('\n')
}

export function needleOf(number: number): string {
  return `the needle of result ${number} is ${number * 7919}-${number * 104_729}`
}

export const anHourMs = 3_600_000

/** A body that a client writes, of any dialect. */
export type Body = Record<string, unknown> & { messages: unknown[] }

export interface DialectFixture {
  readonly name: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** A body with that many long tool results, the last message being one. */
  body(results: number, more?: Record<string, unknown>): Body
  /** A message of the user. */
  says(text: string): unknown
}

const readDescription = 'Reads a file.'
const readSchema = { type: 'object', properties: { path: { type: 'string' } } }

export const openaiFixture: DialectFixture = {
  name: 'openai-chat',
  path: '/v1/chat/completions',
  headers: { authorization: 'Bearer key' },
  body: (results, more) => ({
    model: 'gpt-5.1',
    tools: [{ type: 'function', function: { name: 'read', description: readDescription, parameters: readSchema } }],
    ...more,
    messages: [
      { role: 'system', content: 'You are an agent.' },
      { role: 'user', content: 'Find the value.' },
      ...numbers(results).flatMap((number) => [
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: `call_${number}`, type: 'function', function: { name: 'read', arguments: `{"path":"f${number}"}` } },
          ],
        },
        { role: 'tool', tool_call_id: `call_${number}`, content: longResult(number) },
      ]),
    ],
  }),
  says: (text) => ({ role: 'user', content: text }),
}

export const anthropicFixture: DialectFixture = {
  name: 'anthropic-messages',
  path: '/v1/messages',
  headers: { 'x-api-key': 'key', 'anthropic-version': '2023-06-01' },
  body: (results, more) => ({
    model: 'claude-sonnet-4-6',
    max_tokens: 1024,
    tools: [{ name: 'read', description: readDescription, input_schema: readSchema }],
    system: 'You are an agent.',
    ...more,
    messages: [
      { role: 'user', content: 'Find the value.' },
      ...numbers(results).flatMap((number) => [
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: `toolu_${number}`, name: 'read', input: { path: `f${number}` } }],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: `toolu_${number}`, content: longResult(number) }],
        },
      ]),
    ],
  }),
  says: (text) => ({ role: 'user', content: text }),
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}

/** Sends a body as a client of the dialect. */
export function post(
  gateway: Pick<TestGateway, 'url'>,
  { path, headers }: DialectFixture,
  body: unknown,
  more: Record<string, string> = {},
): Promise<Response> {
  return fetch(gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers, ...more },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

/** Begins a session whose first results are shortened: a cold cache gives the occasion. */
export async function shortenedSession(gateway: TestGateway, dialect: DialectFixture): Promise<void> {
  for (const results of [7, 8]) {
    const response = await post(gateway, dialect, dialect.body(results))
    await response.arrayBuffer()
    await gateway.clock.advance(anHourMs)
  }
}

/** The handle under which a body shows the result with that number; undefined where it is shown in full. */
export function handleIn(body: string, number: number): string | undefined {
  const { messages } = JSON.parse(body) as { messages: { content: unknown; tool_call_id?: string }[] }
  const results = messages.flatMap((message) => (Array.isArray(message.content) ? message.content : [message])) as {
    tool_call_id?: string
    tool_use_id?: string
    content?: unknown
  }[]
  const result = results.find((entry) => (entry.tool_call_id ?? entry.tool_use_id)?.endsWith(`_${number}`))
  return /rehydrate\(\\?"([\w-]+)/.exec(JSON.stringify(result?.content ?? ''))?.[1]
}

/** A body's messages without the marks for the prompt cache, which move; a text block alone is its text. */
export function unmarkedMessages(body: string): unknown[] {
  return (JSON.parse(body) as Body).messages.map((message) => {
    const { content, ...rest } = message as { content: unknown }
    if (!Array.isArray(content)) return message
    const blocks = content.map(({ cache_control: _mark, ...block }: Record<string, unknown>) => block)
    const [only] = blocks
    return { ...rest, content: blocks.length === 1 && only?.['type'] === 'text' ? only['text'] : blocks }
  })
}
