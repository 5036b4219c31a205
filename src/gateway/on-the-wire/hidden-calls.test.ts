import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codecFor, sseParser } from '../../codecs/index.ts'
import type { ModelReply } from '../../core/index.ts'
import { simulatedProvider } from '../../providers/index.ts'
import type { SimulatedProvider, Upstream } from '../../providers/index.ts'
import { anthropicFixture, closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'
import type { DialectFixture, TestGateway } from './test-gateway.fixture.ts'

/** What a model does in the first round: it calls our tool, and perhaps says something or calls the client's tool. */
interface Said {
  readonly text: string
  /** Arguments of the calls of our tool, as they came. */
  readonly ours: readonly string[]
  readonly own: boolean
  readonly stop: string | null
}

interface WrittenBody {
  readonly whole: string
  readonly stream: string
}

const ownArguments = '{"path": "a.ts"}'
const call = (name: string, id: string, args: string) => ({ id, name, args })
const callsOf = ({ ours, own }: Said) => [
  ...(own ? [call('read', 'call_own_1', ownArguments)] : []),
  ...ours.map((args, index) => call('rehydrate', `call_hidden_${index}`, args)),
  ...(own ? [call('read', 'call_own_2', ownArguments)] : []),
]

function openaiSaid(said: Said): WrittenBody {
  const calls = callsOf(said).map(({ id, name, args }) => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  }))
  const message = { role: 'assistant', content: said.text || null, tool_calls: calls }
  const usage = { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 }
  const chunk = (delta: object, finish: string | null = null): string =>
    `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
  const pieces = calls.flatMap((one, index) => {
    const { arguments: json } = one.function
    const half = json.length >> 1
    return [
      chunk({ tool_calls: [{ index, ...one, function: { ...one.function, arguments: json.slice(0, half) } }] }),
      chunk({ tool_calls: [{ index, function: { arguments: json.slice(half) } }] }),
    ]
  })
  return {
    whole: JSON.stringify({ id: 'c', choices: [{ index: 0, message, finish_reason: said.stop }], usage }),
    stream: [
      chunk({ role: 'assistant', content: said.text }),
      ...pieces,
      chunk({}, said.stop),
      'data: [DONE]\n\n',
    ].join(''),
  }
}

/** Input of a whole reply is a JSON value: what is none cannot come there. */
function isJson(text: string): boolean {
  try {
    return JSON.parse(text) !== undefined
  } catch {
    return false
  }
}

function anthropicSaid(said: Said): WrittenBody {
  const head = { id: 'msg', type: 'message', role: 'assistant', model: 'claude-sonnet-4-6' }
  const usage = { input_tokens: 5, output_tokens: 5 }
  const calls = callsOf(said).map(({ id, name, args }) => ({ block: { type: 'tool_use', id, name }, args }))
  const texts = said.text === '' ? [] : [{ type: 'text', text: said.text }]
  const content = [
    ...texts.map((block) => JSON.stringify(block)),
    ...calls.map(
      ({ block, args }) => `${JSON.stringify(block).slice(0, -1)},"input":${isJson(args) ? args : '"cut"'}}`,
    ),
  ]
  const stop = { stop_reason: said.stop, stop_sequence: null }
  const event = (type: string, members: object = {}): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`
  const delta = (index: number, value: object): string => event('content_block_delta', { index, delta: value })
  const blocks = [
    ...texts.map(({ text }, index) => [
      event('content_block_start', { index, content_block: { type: 'text', text: '' } }),
      delta(index, { type: 'text_delta', text }),
    ]),
    ...calls.map(({ block, args }, at) => [
      event('content_block_start', { index: texts.length + at, content_block: { ...block, input: {} } }),
      ...[args.slice(0, 3), args.slice(3)].map((piece) =>
        delta(texts.length + at, { type: 'input_json_delta', partial_json: piece }),
      ),
    ]),
  ].map((events, index) => [...events, event('content_block_stop', { index })].join(''))
  return {
    whole: JSON.stringify({ ...head, ...stop, usage }).replace(/\}$/, `,"content":[${content.join(',')}]}`),
    stream: [
      event('message_start', { message: { ...head, content: [], usage } }),
      ...blocks,
      event('message_delta', { delta: stop, usage: { output_tokens: 5 } }),
      event('message_stop'),
    ].join(''),
  }
}

interface Dialect {
  readonly fixture: DialectFixture
  /** Stop reasons after which calls are complete: ours are answered. The first says that calls are to be answered. */
  readonly answering: readonly string[]
  readonly others: readonly (string | null)[]
  readonly end: string
  write(said: Said): WrittenBody
}

const dialects: readonly Dialect[] = [
  {
    fixture: openaiFixture,
    answering: ['tool_calls', 'function_call', 'stop'],
    others: ['length', 'content_filter', 'some_new_reason', null],
    end: 'stop',
    write: openaiSaid,
  },
  {
    fixture: anthropicFixture,
    answering: ['tool_use', 'end_turn'],
    others: [
      'max_tokens',
      'refusal',
      'pause_turn',
      'model_context_window_exceeded',
      'stop_sequence',
      'compaction',
      'some_new_reason',
    ],
    end: 'end_turn',
    write: anthropicSaid,
  },
]

const oddArguments = ['{"handle": "deadbeef"}', '{"handle": "1', 'not json', '[]', 'null', '"x"', '', '7']

/** The first answer of every conversation is what is said; the provider checks and answers what comes then. */
function talking(provider: SimulatedProvider, written: () => WrittenBody): Upstream {
  return {
    name: 'talking',
    send: async ({ method, path, headers, body = '' }) => {
      const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8')
      const stream = (JSON.parse(text) as { stream?: boolean }).stream === true
      if (text.includes('call_hidden_')) {
        const response = await provider.fetch(`http://simulated${path}`, { method, headers, body: text })
        return { status: response.status, headers: Object.fromEntries(response.headers), body: response.body! }
      }
      const said = written()
      const bytes = Buffer.from(stream ? said.stream : said.whole)
      const pieces = (async function* () {
        yield bytes
      })()
      return {
        status: 200,
        headers: { 'content-type': stream ? 'text/event-stream' : 'application/json' },
        body: pieces,
      }
    },
    close: async () => undefined,
  }
}

describe.each(dialects)('a call of our own tool never reaches the client: $fixture.name', (dialect) => {
  const { fixture, answering, others, end } = dialect
  const codec = codecFor(fixture.name)
  const provider = simulatedProvider({ script: () => 'found' })
  let said: WrittenBody = { whole: '', stream: '' }
  const gateways = new Map<number, TestGateway>()

  beforeAll(async () => {
    for (const rehydrateRounds of [8, 0]) {
      const upstream = talking(provider, () => said)
      gateways.set(rehydrateRounds, await testGateway({ upstream, config: { limits: { rehydrateRounds } } }))
    }
  })
  afterAll(closeTestGateways)

  async function got(
    rounds: number,
    what: Said,
    stream: boolean,
  ): Promise<{ readonly text: string; readonly reply: ModelReply }> {
    said = dialect.write(what)
    const body = fixture.body(1, stream ? { stream: true } : {})
    const response = await post(gateways.get(rounds)!, fixture, body, { 'x-session-id': crypto.randomUUID() })
    const text = await response.text()
    expect({ status: response.status, text }).toMatchObject({ status: 200 })
    if (!stream) return { text, reply: codec.decodeReply(text) }
    const reducer = codec.reducer()
    return { text, reply: reducer.reply(sseParser().push(text).reduce(reducer.step, reducer.initial)) }
  }

  const cases = [false, true].flatMap((stream) => [...answering, ...others].map((stop) => ({ stream, stop })))

  it.each(cases)('stop reason $stop, streamed $stream', async ({ stream, stop }) => {
    for (const own of [false, true]) {
      for (const [index, args] of oddArguments.entries()) {
        const text = index % 2 === 0 ? '' : 'I look. '
        const what: Said = { text, own, stop, ours: index % 3 === 0 ? [args, '{}'] : [args] }
        const { text: raw, reply } = await got(8, what, stream)
        const isAnswered = !own && stop !== null && answering.includes(stop)
        expect(raw).not.toMatch(/rehydrate|call_hidden/)
        expect({ what, reply }).toMatchObject({
          reply: {
            text: isAnswered ? `${text}found` : text,
            toolCalls: own ? ['call_own_1', 'call_own_2'].map((id) => ({ id, arguments: ownArguments })) : [],
          },
        })
        expect(reply.stopReason ?? null).toBe(isAnswered ? end : stop)
        expect(reply.failure).toBeUndefined()
      }
    }
  })

  it.each([false, true])('where no more rounds are to be had, streamed %s', async (stream) => {
    for (const stop of answering) {
      const { text, reply } = await got(0, { text: 'I look. ', own: false, stop, ours: ['not json'] }, stream)
      expect(text).not.toMatch(/rehydrate|call_hidden/)
      expect(reply).toMatchObject({ text: 'I look. ', toolCalls: [], stopReason: end })
    }
  })

  it.each([false, true])(
    'what is hidden beside calls of the client is back in the next request, streamed %s',
    async (stream) => {
      for (const args of oddArguments) {
        said = dialect.write({ text: 'I look. ', own: true, stop: answering[0]!, ours: [args] })
        const body = fixture.body(1, stream ? { stream: true } : {})
        const session = { 'x-session-id': crypto.randomUUID() }
        const gateway = gateways.get(8)!
        const text = await (await post(gateway, fixture, body, session)).text()
        const reducer = codec.reducer()
        const reply = stream
          ? reducer.reply(sseParser().push(text).reduce(reducer.step, reducer.initial))
          : codec.decodeReply(text)
        const results = reply.toolCalls.map(({ id }) => ({ callId: id, text: 'read' }))
        const messages = codec.hiddenMessages({ reply, results }).map((message) => JSON.parse(message) as unknown)
        const next = await post(gateway, fixture, { ...body, messages: [...body.messages, ...messages] }, session)
        expect({ args, status: next.status, text: await next.text() }).toMatchObject({ status: 200 })
        expect(provider.requests.at(-1)!.body).toContain('call_hidden_0')
      }
    },
  )
})
