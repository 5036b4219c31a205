import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openGateway, parseConfig } from '../../gateway/index.ts'
import { memoryStore } from '../../stores/index.ts'
import { providerRefusals } from './strict-provider.ts'

/** What an upstream answers. */
export interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly sse?: readonly string[]
}

export interface SentRequest {
  readonly path: string
  readonly body: string
  readonly headers: IncomingMessage['headers']
  readonly refused: readonly string[]
}

export interface StrictOptions {
  readonly config?: object
  readonly answer?: (request: SentRequest, at: number) => Answer | undefined
}

export interface StrictGateway {
  readonly url: string
  readonly sent: SentRequest[]
}

const opened: (() => Promise<void>)[] = []

/** A gateway, and behind it one server that speaks all dialects and refuses what their providers refuse. */
export async function strictGateway({ config = {}, answer }: StrictOptions = {}): Promise<StrictGateway> {
  const sent: SentRequest[] = []
  const server = createServer((request, response) => void answered(request, response))
  const answered = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request)
    const path = request.url ?? ''
    const own = { path, body, headers: request.headers, refused: providerRefusals({ path, body }) }
    sent.push(own)
    const [fault] = own.refused
    const refusal = { status: 400, body: { error: { type: 'invalid_request_error', message: fault } } }
    give(response, fault === undefined ? (answer?.(own, sent.length - 1) ?? usualAnswer(own)) : refusal)
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const given = JSON.parse(JSON.stringify(config).replaceAll('UPSTREAM', origin)) as { upstreams?: object }
  const upstreams = {
    openai: { baseUrl: `${origin}/v1`, apiKey: 'openai' },
    anthropic: { baseUrl: origin, apiKey: 'anthropic' },
    google: { baseUrl: origin, apiKey: 'google' },
    deepseek: { baseUrl: `${origin}/v1`, apiKey: 'deepseek', dialect: ['openai-chat'] },
    ...given.upstreams,
  }
  const parsed = parseConfig({ port: 0, policy: 'careful', ...given, upstreams })
  const gateway = await openGateway(parsed, { store: memoryStore() })
  opened.push(async () => {
    await gateway.close(0)
    server.closeAllConnections()
    server.close()
  })
  return { url: gateway.url, sent }
}

export async function closeStrictGateways(): Promise<void> {
  for (const close of opened.splice(0)) await close()
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function give(response: ServerResponse, { status = 200, headers = {}, body, sse }: Answer): void {
  const type = sse ? 'text/event-stream' : 'application/json'
  response.writeHead(status, { 'content-type': type, ...headers })
  response.end(sse ? sse.join('') : JSON.stringify(body))
}

function usualAnswer({ path, body }: SentRequest): Answer {
  const streams = body.includes('"stream":true') || path.includes('streamGenerate')
  const usage = Math.ceil(body.length * 0.25)
  if (path.includes('/responses/compact')) return { body: compaction(usage) }
  const dialect = path.includes('/chat/') ? 'chat' : path.includes('/responses') ? 'responses' : undefined
  const known: KnownReply = dialect ?? (path.includes('/messages') ? 'anthropic' : 'gemini')
  const whole = replies[known](usage)
  return streams ? { sse: streamed[known](whole) } : { body: whole }
}

function compaction(usage: number): object {
  const output = [{ type: 'compaction', id: 'cmp_1', encrypted_content: 'sealed' }]
  return { id: 'resp_c', object: 'response.compaction', output, usage: responsesUsage(usage) }
}

const responsesUsage = (input: number): object => ({ input_tokens: input, output_tokens: 1, total_tokens: input + 1 })

type KnownReply = 'chat' | 'responses' | 'anthropic' | 'gemini'

const replies: Readonly<Record<KnownReply, (usage: number) => object>> = {
  chat: (input) => ({
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Done.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: input, completion_tokens: 1, total_tokens: input + 1 },
  }),
  responses: (input) => ({
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    status: 'completed',
    model: 'm',
    output: [
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
      },
    ],
    usage: responsesUsage(input),
  }),
  anthropic: (input) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [{ type: 'text', text: 'Done.' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: input, output_tokens: 1 },
  }),
  gemini: (input) => ({
    candidates: [{ content: { role: 'model', parts: [{ text: 'Done.' }] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: input, candidatesTokenCount: 1, totalTokenCount: input + 1 },
  }),
}

const event = (value: object): string => {
  const type = 'type' in value ? `event: ${String(value.type)}\n` : ''
  return `${type}data: ${JSON.stringify(value)}\n\n`
}

const streamed: Readonly<Record<KnownReply, (whole: object) => readonly string[]>> = {
  chat: () => [
    event({
      id: 'c',
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: { role: 'assistant', content: 'Done.' } }],
    }),
    event({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    'data: [DONE]\n\n',
  ],
  responses: (response) => [
    event({ type: 'response.created', response }),
    event({ type: 'response.completed', response }),
  ],
  anthropic: (message) => [
    event({ type: 'message_start', message: { ...message, content: [] } }),
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Done.' } }),
    event({ type: 'content_block_stop', index: 0 }),
    event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } }),
    event({ type: 'message_stop' }),
  ],
  gemini: (reply) => [event(reply)],
}
