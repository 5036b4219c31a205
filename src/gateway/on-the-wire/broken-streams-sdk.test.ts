import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { upstream } from '../../providers/pool/index.ts'
import type { Upstream } from '../../providers/index.ts'
import { passages, recordedStreams } from './recorded-streams.fixture.ts'
import type { RecordedStream } from './recorded-streams.fixture.ts'
import { anthropicFixture, closeTestGateways, openaiFixture, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

const closers: (() => void)[] = []
afterEach(async () => {
  await closeTestGateways()
  for (const close of closers.splice(0)) close()
})

/** How the provider's connection ends: in order, by a reset, or not at all. */
type Ending = 'ends' | 'breaks' | 'holds'

/** A provider on a socket that sends what it is told. */
async function provider(
  answer: (response: ServerResponse) => Promise<void> | void,
  timeouts: { readonly idleMs?: number } = {},
): Promise<Upstream> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => void answer(response.writeHead(200, { 'content-type': 'text/event-stream' })))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  closers.push(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return upstream({ origin: `http://127.0.0.1:${port}`, timeouts })
}

async function send(response: ServerResponse, text: string | Uint8Array, ending: Ending): Promise<void> {
  response.flushHeaders()
  if (text.length > 0) response.write(text)
  if (ending === 'ends') response.end()
  if (ending !== 'breaks') return
  // A reset takes with it what has not been read yet.
  await after(10)
  response.socket?.resetAndDestroy()
}

interface Ask {
  readonly name: string
  /** Rejects where the client's library says that the answer is broken. */
  ask(gateway: TestGateway, more: object): Promise<unknown>
}

const openaiBody = (more: object): OpenAI.ChatCompletionCreateParamsStreaming =>
  openaiFixture.body(0, { ...more, stream: true }) as unknown as OpenAI.ChatCompletionCreateParamsStreaming
const anthropicBody = (more: object): Anthropic.MessageCreateParamsNonStreaming =>
  anthropicFixture.body(0, { ...more }) as unknown as Anthropic.MessageCreateParamsNonStreaming
const openaiClient = ({ url }: TestGateway): OpenAI =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey: 'key', maxRetries: 0 })
const anthropicClient = ({ url }: TestGateway): Anthropic =>
  new Anthropic({ baseURL: url, apiKey: 'key', maxRetries: 0 })

async function readAll(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream);
}

const libraries: Readonly<Record<string, readonly Ask[]>> = {
  'openai-chat': [
    {
      name: 'create',
      ask: async (gateway, more) => readAll(await openaiClient(gateway).chat.completions.create(openaiBody(more))),
    },
    {
      name: 'stream',
      ask: (gateway, more) => openaiClient(gateway).chat.completions.stream(openaiBody(more)).finalChatCompletion(),
    },
  ],
  'anthropic-messages': [
    {
      name: 'create',
      ask: async (gateway, more) =>
        readAll(await anthropicClient(gateway).messages.create({ ...anthropicBody(more), stream: true })),
    },
    {
      name: 'stream',
      ask: (gateway, more) => anthropicClient(gateway).messages.stream(anthropicBody(more)).finalMessage(),
    },
  ],
}

async function isTaken(asked: Promise<unknown>): Promise<boolean> {
  return asked.then(
    () => true,
    () => false,
  )
}

/** Some places within every event, and all around the end. */
function someCuts({ frames }: RecordedStream): readonly number[] {
  const size = Buffer.byteLength(frames.join(''))
  const cuts = Array.from({ length: size + 1 }, (_, cut) => cut)
  return cuts.filter((cut) => cut % 53 === 0 || cut === size - 1 || cut === size - 20 || cut === size)
}

const ways = recordedStreams.flatMap((stream) =>
  libraries[stream.dialect.name]!.map((library) => ({ stream, library })),
)

describe.each(ways)('the official library says what is whole: $stream.name, $library.name', ({ stream, library }) => {
  const bytes = Buffer.from(stream.frames.join(''))
  const wholeBytes = Buffer.byteLength(stream.frames.slice(0, stream.wholeAfter).join(''))
  const isWhole = (cut: number): boolean =>
    cut >= wholeBytes - (stream.frames[stream.wholeAfter - 1]!.endsWith('\r\n') ? 1 : 0)

  it.each(passages)('however the connection ends: $name', async ({ config, more }) => {
    let cut = 0
    let ending: Ending = 'ends'
    const cutting = await provider((response) => send(response, bytes.subarray(0, cut), ending))
    const gateway = await testGateway({ upstream: cutting, config })
    for (cut of someCuts(stream)) {
      for (ending of ['ends', 'breaks'] as const) {
        const taken = await isTaken(library.ask(gateway, more))
        expect({ cut, ending, taken }).toEqual({ cut, ending, taken: isWhole(cut) })
      }
    }
  })

  it.each([passages[0]!, passages[3]!])('a connection that is held open: $name', async ({ config, more }) => {
    let cut = 0
    const holding = await provider((response) => send(response, bytes.subarray(0, cut), 'holds'), { idleMs: 60 })
    const gateway = await testGateway({ upstream: holding, config })
    for (cut of [0, wholeBytes - 3, bytes.length]) {
      expect({ cut, taken: await isTaken(library.ask(gateway, more)) }).toEqual({ cut, taken: cut === bytes.length })
    }
  })
})

describe('a provider that holds the connection open after its last event', () => {
  const event = (type: string, members: string): string => `event: ${type}\ndata: {"type":"${type}"${members}}\n\n`
  const message = (block: string, delta: string, stop: string): string =>
    event(
      'message_start',
      ',"message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":1}}',
    ) +
    event('content_block_start', `,"index":0,"content_block":${block}`) +
    event('content_block_delta', `,"index":0,"delta":${delta}`) +
    event('content_block_stop', ',"index":0') +
    event('message_delta', `,"delta":{"stop_reason":"${stop}"},"usage":{"output_tokens":1}`) +
    event('message_stop', '')

  it('delays neither a hidden round nor the end of the answer', async () => {
    const answers = [
      message(
        '{"type":"tool_use","id":"t","name":"rehydrate","input":{}}',
        '{"type":"input_json_delta","partial_json":"{\\"handle\\":\\"x\\"}"}',
        'tool_use',
      ),
      message('{"type":"text","text":""}', '{"type":"text_delta","text":"done"}', 'end_turn'),
    ]
    const holding = await provider((response) => send(response, answers.shift() ?? '', 'holds'))
    const gateway = await testGateway({ upstream: holding })
    const said = await anthropicClient(gateway).messages.stream(anthropicBody({})).finalMessage()
    expect(said).toMatchObject({ content: [{ type: 'text', text: 'done' }], stop_reason: 'end_turn' })
  })
})
