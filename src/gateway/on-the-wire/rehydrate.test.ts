import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { AnswerPart, SimulatedRequest, ScriptEntry } from '../../providers/index.ts'
import { fetchUpstream, manualClock, simulatedProvider } from '../../providers/index.ts'
import { sqliteStore } from '../../stores/index.ts'
import {
  anthropicFixture,
  closeTestGateways,
  handleIn,
  longResult,
  needleOf,
  openaiFixture,
  post,
  shortenedSession,
  testGateway,
  unmarkedMessages,
} from './test-gateway.fixture.ts'
import type { Body, DialectFixture, TestGateway } from './test-gateway.fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-rehydrate-'))
let files = 0
afterEach(closeTestGateways)
afterAll(() => rmSync(folder, { recursive: true }))

/** What a client got, in one form for both dialects. */
interface Answer {
  readonly text: string
  /** Ids of the calls that the client is to answer. */
  readonly calls: readonly string[]
  readonly stopReason: string | null
  readonly inputTokens: number
  readonly outputTokens: number
  /** The assistant's message, as the client sends it back. */
  readonly message: unknown
}

interface Dialect {
  readonly fixture: DialectFixture
  readonly stops: { readonly end: string; readonly calls: string }
  ask(gateway: TestGateway, body: Body, stream: boolean): Promise<Answer>
  /** The message with which a client answers a call. */
  answers(callId: string, text: string): unknown
}

const openai: Dialect = {
  fixture: openaiFixture,
  stops: { end: 'stop', calls: 'tool_calls' },
  async ask(gateway, body, stream) {
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'key', maxRetries: 0 })
    const params = body as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming
    const completion = stream
      ? await client.chat.completions
          .stream({ ...params, stream: true, stream_options: { include_usage: true } })
          .finalChatCompletion()
      : await client.chat.completions.create(params)
    const [choice] = completion.choices
    const { role, content, tool_calls } = choice!.message
    return {
      text: content ?? '',
      calls: (tool_calls ?? []).map(({ id }) => id),
      stopReason: choice!.finish_reason,
      inputTokens: completion.usage!.prompt_tokens,
      outputTokens: completion.usage!.completion_tokens,
      message: { role, content, ...(tool_calls && tool_calls.length > 0 && { tool_calls }) },
    }
  },
  answers: (callId, text) => ({ role: 'tool', tool_call_id: callId, content: text }),
}

const anthropic: Dialect = {
  fixture: anthropicFixture,
  stops: { end: 'end_turn', calls: 'tool_use' },
  async ask(gateway, body, stream) {
    const client = new Anthropic({ baseURL: gateway.url, apiKey: 'key', maxRetries: 0 })
    const params = body as unknown as Anthropic.MessageCreateParamsNonStreaming
    const message = stream ? await client.messages.stream(params).finalMessage() : await client.messages.create(params)
    const { role, content, usage } = message
    return {
      text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      calls: content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])),
      stopReason: message.stop_reason,
      inputTokens: usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
      outputTokens: usage.output_tokens,
      message: { role, content },
    }
  },
  answers: (callId, text) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: callId, content: text }] }),
}

const call = (name: string, args: object): AnswerPart => ({ type: 'tool-call', name, arguments: args as never })
const says = (text: string): AnswerPart => ({ type: 'text', text })

/** The model asks for result 1 in its third answer, and then says what it got. */
function asking(parts: (handle: string) => readonly AnswerPart[], later: readonly ScriptEntry[] = []) {
  return ({ body }: SimulatedRequest, turn: number): ScriptEntry => {
    if (turn < 2) return 'done'
    if (turn === 2) return { parts: parts(handleIn(body, 1) ?? 'none') }
    if (turn === 3) return body.includes(needleOf(1)) ? `It says: ${needleOf(1)}.` : 'It is not there.'
    return later[turn - 4] ?? 'done'
  }
}

const sent = (gateway: TestGateway, index: number): string => gateway.provider.requests.at(index)?.body ?? ''

const cases = [openai, anthropic].flatMap((dialect) =>
  [false, true].map((stream) => ({
    name: `${dialect.fixture.name}, ${stream ? 'streamed' : 'JSON'}`,
    dialect,
    stream,
  })),
)

describe.each(cases)('P-070: rehydrate inside a reply: $name', ({ dialect, stream }) => {
  const { fixture, stops } = dialect

  it('brings an original back without the client seeing the call; text flows on and usage is the last', async () => {
    const script = asking((handle) => [says('Let me look again. '), call('rehydrate', { handle })])
    const gateway = await testGateway({ script })
    await shortenedSession(gateway, fixture)
    const answer = await dialect.ask(gateway, fixture.body(9), stream)
    expect(answer.text).toBe(`Let me look again. It says: ${needleOf(1)}.`)
    expect(answer.calls).toEqual([])
    expect(answer.stopReason).toBe(stops.end)
    const [first, second] = gateway.provider.requests.slice(-2)
    expect(answer.inputTokens).toBe(second!.usage!.inputTokens)
    expect(answer.outputTokens).toBe(second!.usage!.outputTokens)
    expect(first!.body).not.toContain(needleOf(1))
    expect(second!.body).toContain(JSON.stringify(longResult(1)).slice(1, -1))
  })

  it('puts the hidden exchange in its place in the next requests, as it was sent', async () => {
    const script = asking((handle) => [says('Let me look again. '), call('rehydrate', { handle, lines: '150-250' })])
    const gateway = await testGateway({ script })
    await shortenedSession(gateway, fixture)
    const body = fixture.body(9)
    const answer = await dialect.ask(gateway, body, stream)
    const next = { ...body, messages: [...body.messages, answer.message, fixture.says('Thanks. And now?')] }
    await dialect.ask(gateway, next, stream)
    const [hiddenBody, afterBody] = gateway.provider.requests.slice(-2).map((request) => request.body)
    const [hidden, after] = [unmarkedMessages(hiddenBody!), unmarkedMessages(afterBody!)]
    expect(after.slice(0, hidden.length)).toEqual(hidden)
    expect(after).toHaveLength(hidden.length + 2)
    expect(JSON.stringify(after.at(-2))).toContain('It says')
    expect(JSON.stringify(after.at(-2))).not.toContain('Let me look again')
    await dialect.ask(
      gateway,
      { ...next, messages: [...next.messages, { role: 'assistant', content: 'Well.' }, fixture.says('Go on.')] },
      stream,
    )
    expect(unmarkedMessages(sent(gateway, -1)).slice(0, after.length)).toEqual(after)
  })

  it('N-37: works after a restart, and the hidden exchange is still in its place', async () => {
    const path = join(folder, `${(files += 1)}.db`)
    const script = asking((handle) => [call('rehydrate', { handle, pattern: 'needle' })])
    const first = await testGateway({ script: () => 'done', store: sqliteStore({ path }) })
    await shortenedSession(first, fixture)
    await first.close()
    await first.store.close()

    const second = await testGateway({
      script: (request, turn) => script(request, turn + 2),
      store: sqliteStore({ path }),
    })
    await second.clock.advance(20 * 60_000)
    const body = fixture.body(9)
    const answer = await dialect.ask(second, body, stream)
    expect(answer.text).toBe(`It says: ${needleOf(1)}.`)
    const hidden = unmarkedMessages(second.provider.requests.at(-1)!.body)
    await second.close()
    await second.store.close()

    const third = await testGateway({ store: sqliteStore({ path }) })
    await third.clock.advance(20 * 60_000 + 1000)
    await dialect.ask(
      third,
      { ...body, messages: [...body.messages, answer.message, fixture.says('And now?')] },
      stream,
    )
    const after = unmarkedMessages(third.provider.requests.at(-1)!.body)
    expect(after.slice(0, hidden.length)).toEqual(hidden)
    await third.close()
    await third.store.close()
  })

  it("a turn that mixes it with the client's own tools comes back whole", async () => {
    const script = asking((handle) => [says('Both. '), call('rehydrate', { handle }), call('read', { path: 'f10' })])
    const gateway = await testGateway({ script })
    await shortenedSession(gateway, fixture)
    const body = fixture.body(9)
    const answer = await dialect.ask(gateway, body, stream)
    expect(answer.text).toBe('Both. ')
    expect(answer.calls).toHaveLength(1)
    expect(answer.stopReason).toBe(stops.calls)
    const asked = gateway.provider.requests.length
    const reply = dialect.answers(answer.calls[0]!, 'the tenth file')
    await dialect.ask(gateway, { ...body, messages: [...body.messages, answer.message, reply] }, stream)
    expect(gateway.provider.requests).toHaveLength(asked + 1)
    const request = gateway.provider.requests.at(-1)!
    expect(request).toMatchObject({ state: 'answered', status: 200 })
    expect(request.body).toContain(JSON.stringify(longResult(1)).slice(1, -1))
    expect(request.body).toContain('the tenth file')
    expect(request.body.match(/"name":"rehydrate"/g)).toHaveLength(2)
  })

  it('an unknown handle gets an answer that helps, not an error', async () => {
    const script = asking(() => [call('rehydrate', { handle: 'deadbeef' })])
    const gateway = await testGateway({ script })
    await shortenedSession(gateway, fixture)
    const answer = await dialect.ask(gateway, fixture.body(9), stream)
    expect(answer).toMatchObject({ text: 'It is not there.', stopReason: stops.end })
    expect(sent(gateway, -1)).toContain('Nothing is kept under the handle')
  })

  it('is answered a bounded number of times', async () => {
    const script = (_: SimulatedRequest, turn: number): ScriptEntry => ({
      parts: [says(`${turn} `), call('rehydrate', { handle: 'deadbeef' })],
    })
    const gateway = await testGateway({ script, config: { limits: { rehydrateRounds: 3 } } })
    const answer = await dialect.ask(gateway, fixture.body(1), stream)
    expect(gateway.provider.requests).toHaveLength(4)
    expect(answer).toMatchObject({ text: '0 1 2 3 ', calls: [], stopReason: stops.end })
    expect(sent(gateway, 3)).toContain('the last rehydrate of this turn')
    expect(sent(gateway, 2)).not.toContain('the last rehydrate of this turn')
  })

  it("parallel calls of the client's own tools come through untouched", async () => {
    const parts = [says('Two. '), call('read', { path: 'a' }), call('read', { path: 'b' })]
    const gateway = await testGateway({ script: [{ parts }] })
    const answer = await dialect.ask(gateway, fixture.body(1), stream)
    expect(answer).toMatchObject({ text: 'Two. ', stopReason: stops.calls })
    expect(answer.calls).toHaveLength(2)
  })
})

describe.each([openai, anthropic])('the rehydrate tool is constant: $fixture.name', ({ fixture, ask }) => {
  const toolNames = (body: string): string[] => {
    const { tools = [] } = JSON.parse(body) as { tools?: { name?: string; function?: { name: string } }[] }
    return tools.map((tool) => tool.name ?? tool.function?.name ?? '')
  }
  const forced = fixture.name === 'openai-chat' ? { tool_choice: 'required' } : { tool_choice: { type: 'any' } }

  it('offered from the first request on, and always', async () => {
    const gateway = await testGateway({ script: () => 'done' })
    for (const results of [1, 2, 3]) await ask(gateway, fixture.body(results), false)
    for (const { body } of gateway.provider.requests) expect(toolNames(body)).toEqual(['read', 'rehydrate'])
  })

  it('stays when a later request forces a tool', async () => {
    const gateway = await testGateway({ script: () => ({ parts: [call('read', { path: 'f' })] }) })
    await ask(gateway, fixture.body(1), false)
    await ask(gateway, fixture.body(2, forced), false)
    expect(toolNames(sent(gateway, 1))).toEqual(['read', 'rehydrate'])
  })

  it.each([
    ['switched off', { config: { rehydrate: false } }, {}],
    ['switched off in the request', {}, { prehend: { rehydrate: false } }],
    ['the client forces a tool', {}, forced],
    ['the client has no tools', {}, { tools: undefined }],
  ])('%s: nothing is hidden', async (_, options, more: Record<string, unknown>) => {
    const gateway = await testGateway({ script: () => ({ parts: [call('read', { path: 'f' })] }), ...options })
    const plain = fixture.body(8, more)
    const body =
      more.tools === undefined && 'tools' in more ? { ...plain, messages: plain.messages.slice(0, 2) } : plain
    for (let turn = 0; turn < 2; turn += 1) {
      await (await post(gateway, fixture, body)).text()
      await gateway.clock.advance(24 * 3_600_000)
    }
    for (const request of gateway.provider.requests) {
      expect(toolNames(request.body)).not.toContain('rehydrate')
      expect(request.body).not.toContain('rehydrate')
      expect(request.body).not.toContain('"prehend"')
      if (body === plain)
        for (let number = 1; number <= 8; number += 1) expect(request.body).toContain(needleOf(number))
    }
  })

  it('a request of its session that cannot have it shows nothing that must be asked for, and changes nothing for the next', async () => {
    const clock = manualClock(Date.UTC(2026, 10, 21))
    const provider = simulatedProvider({ script: () => 'done', clock })
    // The simulated provider gives one answer only.
    const once: typeof fetch = (url, init) =>
      provider.fetch(url, { ...init, body: String(init?.body).replace('"n":2,', '') })
    const upstream = fetchUpstream({ name: 'simulated', origin: 'http://simulated', fetch: once })
    const gateway = await testGateway({ clock, provider, upstream })
    await shortenedSession(gateway, fixture)
    await ask(gateway, fixture.body(9), false)
    const before = unmarkedMessages(sent(gateway, -1))
    expect(JSON.stringify(before)).toMatch(/folded|rehydrate/)
    const cannot = fixture.name === 'openai-chat' ? { n: 2 } : { prehend: { rehydrate: false } }
    const response = await post(gateway, fixture, fixture.body(10, cannot))
    expect(await response.text()).toContain('done')
    expect(response.headers.get('x-prehend-cache')).toBe('provider; begin; policy-changed')
    expect(toolNames(sent(gateway, -1))).toEqual(['read'])
    expect(sent(gateway, -1)).not.toMatch(/folded|rehydrate/)
    for (let number = 1; number <= 10; number += 1) expect(sent(gateway, -1)).toContain(needleOf(number))
    if (fixture.name !== 'openai-chat') return
    await ask(gateway, fixture.body(10), false)
    expect(toolNames(sent(gateway, -1))).toEqual(['read', 'rehydrate'])
    expect(unmarkedMessages(sent(gateway, -1)).slice(0, before.length)).toEqual(before)
  })

  it('is not offered where the client has a tool of that name', async () => {
    const gateway = await testGateway({ script: () => 'done' })
    const body = fixture.body(1)
    const named = JSON.parse(JSON.stringify(body).replaceAll('"read"', '"rehydrate"')) as Body
    await ask(gateway, named, false)
    expect(toolNames(sent(gateway, 0))).toEqual(['rehydrate'])
  })
})
