import { afterEach, describe, expect, it } from 'vitest'
import type { AnswerPart, SimulatedRequest, ScriptEntry } from '../../providers/index.ts'
import { sdkWays } from './four-dialects.fixture.ts'
import { anthropicFixture, closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const fetches: AnswerPart = { type: 'tool-call', name: 'rehydrate', arguments: { handle: 'deadbeef' } }
const says = (text: string): AnswerPart => ({ type: 'text', text })

/** Three fetches, and then an answer. */
const script = (_: SimulatedRequest, turn: number): ScriptEntry =>
  turn < 3 ? { parts: [says(`looking ${turn} `), fetches] } : 'found'

describe.each(sdkWays)('what a client is told was used: $name', ({ dialect, stream }) => {
  const ask = (gateway: TestGateway) => dialect.ask(gateway, dialect.messages(3), stream)

  it('is what the last round used: the size of its context, whatever was fetched for it', async () => {
    const gateway = await testGateway({ script })
    const { usage } = await ask(gateway)
    expect(gateway.provider.requests).toHaveLength(4)
    const last = gateway.provider.requests.at(-1)!.usage!
    expect(usage).toEqual({
      prompt: last.inputTokens,
      cached: last.cacheReadTokens ?? 0,
      completion: last.outputTokens,
    })
  })

  it('holds where the rounds have used themselves up', async () => {
    const gateway = await testGateway({ script, config: { limits: { rehydrateRounds: 2 } } })
    const { usage } = await ask(gateway)
    expect(gateway.provider.requests).toHaveLength(3)
    const last = gateway.provider.requests.at(-1)!.usage!
    expect(usage).toMatchObject({ prompt: last.inputTokens, completion: last.outputTokens })
  })

  it('the sum of all rounds stands in the receipt, in the metrics and in the log', async () => {
    const gateway = await testGateway({ script })
    await ask(gateway)
    const rounds = gateway.provider.requests.map(({ usage }) => usage!)
    const sum = (of: (usage: (typeof rounds)[number]) => number): number =>
      rounds.reduce((all, one) => all + of(one), 0)
    const input = sum(({ inputTokens }) => inputTokens)
    const output = sum(({ outputTokens }) => outputTokens)
    await expect
      .poll(async () => (await gateway.store.read('receipts').list('default', { limit: 1 }))[0]?.result?.usage)
      .toMatchObject({ inputTokens: input, outputTokens: output })
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
    expect(metrics).toMatch(new RegExp(`prehend_tokens_total\\{kind="input",family="\\w+"\\} ${input}\n`))
    expect(metrics).toMatch(new RegExp(`prehend_tokens_total\\{kind="output",family="\\w+"\\} ${output}\n`))
    expect(gateway.log.find(({ event }) => event === 'request')?.fields).toMatchObject({ inputTokens: input })
  })
})

describe.each([openaiFixture, anthropicFixture])('the header of a reply that is no stream: $name', (dialect) => {
  const usageOf = (response: Response): string | null => response.headers.get('x-prehend-usage')

  it('says what all rounds have used', async () => {
    const gateway = await testGateway({ script })
    const response = await post(gateway, dialect, dialect.body(3))
    const rounds = gateway.provider.requests.map(({ usage }) => usage!)
    const sum = (name: 'inputTokens' | 'outputTokens' | 'cacheReadTokens'): number =>
      rounds.reduce((all, usage) => all + (usage[name] ?? 0), 0)
    expect(usageOf(response)).toMatch(
      new RegExp(
        `^rounds=4, input=${sum('inputTokens')}, output=${sum('outputTokens')}, cache-read=${sum('cacheReadTokens')}`,
      ),
    )
  })

  it('says it of a refusal midway, too', async () => {
    const gateway = await testGateway({ script: [{ parts: [fetches] }, { fault: { kind: 'error', status: 429 } }] })
    const response = await post(gateway, dialect, dialect.body(3))
    expect(response.status).toBe(429)
    const { inputTokens, outputTokens } = gateway.provider.requests[0]!.usage!
    expect(usageOf(response)).toContain(`rounds=1, input=${inputTokens}, output=${outputTokens}`)
    const results = async () => (await gateway.store.read('receipts').list('default', { limit: 1 }))[0]?.result
    await expect.poll(results).toMatchObject({ status: 429, usage: { inputTokens, outputTokens } })
  })

  it('is not there where the body says it all', async () => {
    const gateway = await testGateway({ script: ['done'] })
    expect(usageOf(await post(gateway, dialect, dialect.body(3)))).toBeNull()
  })
})

it('a round that breaks off counts as far as it has come, and what nobody has reported is not known', async () => {
  const breaks: ScriptEntry = { text: 'one two three', fault: { kind: 'connection-death', afterChunks: 3 } }
  for (const dialect of [anthropicFixture, openaiFixture]) {
    const gateway = await testGateway({ script: [{ parts: [fetches] }, breaks] })
    const body = dialect.body(3, {
      stream: true,
      ...(dialect === openaiFixture && { stream_options: { include_usage: true } }),
    })
    await (await post(gateway, dialect, body)).text()
    const result = async () => (await gateway.store.read('receipts').list('default', { limit: 1 }))[0]?.result
    await expect.poll(result).toMatchObject({ failure: 'upstream-broken' })
    const [first, second] = gateway.provider.requests.map(({ usage }) => usage?.inputTokens ?? 0)
    const known = dialect === anthropicFixture ? first! + second! : undefined
    expect((await result())?.usage?.inputTokens).toBe(known)
  }
})

it('a server that leaves out what is 0 does not leave figures of an earlier round with the client', async () => {
  const event = (type: string, members: string): string => `event: ${type}\ndata: {"type":"${type}",${members}}\n\n`
  const message = (usage: string, block: string, stop: string): string =>
    event(
      'message_start',
      `"message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"usage":${usage}}`,
    ) +
    event('content_block_start', `"index":0,"content_block":${block}`) +
    event('content_block_stop', '"index":0') +
    event('message_delta', `"delta":{"stop_reason":"${stop}"},"usage":{"output_tokens":4}`) +
    event('message_stop', '"x":0')
  const answers = [
    message(
      '{"input_tokens":10,"cache_creation_input_tokens":500,"output_tokens":1}',
      '{"type":"tool_use","id":"t","name":"rehydrate","input":{"handle":"x"}}',
      'tool_use',
    ),
    message(
      '{"input_tokens":20,"cache_read_input_tokens":510,"output_tokens":1}',
      '{"type":"text","text":"done"}',
      'end_turn',
    ),
  ]
  const upstream = {
    name: 'terse',
    send: async () => {
      const body = (async function* () {
        yield Buffer.from(answers.shift() ?? '')
      })()
      return { status: 200, headers: { 'content-type': 'text/event-stream' }, body }
    },
    close: async () => undefined,
  }
  const gateway = await testGateway({ upstream })
  const { dialect } = sdkWays.find(({ name }) => name === 'anthropic-messages, streamed')!
  const { usage } = await dialect.ask(gateway, dialect.messages(1), true)
  expect(usage).toEqual({ prompt: 530, cached: 510, completion: 4 })
})
