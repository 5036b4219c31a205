import { afterEach, describe, expect, it } from 'vitest'
import { policies } from '../../compiler/index.ts'
import { closeTestGateways, testGateway } from './test-gateway.fixture.ts'
import type { DialectFixture, TestGateway, TestGatewayOptions } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const windowTokens = 16_000
const names = { chat: 'gpt-5.1', messages: 'claude-sonnet-4-6', gemini: 'gemini-2.5-pro' } as const
const models = Object.fromEntries(Object.values(names).map((name) => [name, { windowTokens }]))

/** Steps of an agent: what it says, what it calls, what comes back. */
interface Step {
  readonly says?: string
  readonly call: string
  readonly result: string
}

const log = (lines: number): string =>
  Array.from({ length: lines }, (_, at) =>
    at === Math.floor(lines / 2)
      ? 'Error: connection to db-7 refused after 30000 ms'
      : `2026-11-21T10:00:00 INFO worker ${at % 7} handled request ${at * 31} in ${(at * 13) % 97} ms`,
  ).join('\n')

const steps = (count: number, lines = 12): readonly Step[] =>
  Array.from({ length: count }, (_, at) => ({
    ...(at % 3 === 0 && { says: `I look at part ${at} now, since the last one had nothing of what I am looking for.` }),
    call: `part-${at}`,
    result: log(lines + (at % 5)),
  }))

interface Wire extends Pick<DialectFixture, 'name' | 'path' | 'headers'> {
  body(steps: readonly Step[], hasTools?: boolean): object
}

const wires: readonly Wire[] = [
  {
    name: 'openai-chat',
    path: '/v1/chat/completions',
    headers: { authorization: 'Bearer key' },
    body: (made, hasTools = true) => ({
      model: names.chat,
      max_completion_tokens: 100,
      ...(hasTools && { tools: [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }] }),
      messages: [
        { role: 'system', content: 'You are an agent.' },
        { role: 'user', content: 'Find why the worker fails.' },
        ...made.flatMap(({ says = null, call, result }) => [
          {
            role: 'assistant',
            content: says,
            tool_calls: [{ id: call, type: 'function', function: { name: 'read', arguments: `{"path":"${call}"}` } }],
          },
          { role: 'tool', tool_call_id: call, content: result },
        ]),
      ],
    }),
  },
  {
    name: 'anthropic-messages',
    path: '/v1/messages',
    headers: { 'x-api-key': 'key', 'anthropic-version': '2023-06-01' },
    body: (made, hasTools = true) => ({
      model: names.messages,
      max_tokens: 100,
      ...(hasTools && { tools: [{ name: 'read', input_schema: { type: 'object' } }] }),
      system: 'You are an agent.',
      messages: [
        { role: 'user', content: 'Find why the worker fails.' },
        ...made.flatMap(({ says, call, result }) => [
          {
            role: 'assistant',
            content: [
              ...(says === undefined ? [] : [{ type: 'text', text: says }]),
              { type: 'tool_use', id: call, name: 'read', input: { path: call } },
            ],
          },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: call, content: result }] },
        ]),
      ],
    }),
  },
  {
    name: 'openai-responses',
    path: '/v1/responses',
    headers: { authorization: 'Bearer key' },
    body: (made, hasTools = true) => ({
      model: names.chat,
      max_output_tokens: 100,
      store: false,
      ...(hasTools && { tools: [{ type: 'function', name: 'read', parameters: { type: 'object' }, strict: false }] }),
      instructions: 'You are an agent.',
      input: [
        { role: 'user', content: 'Find why the worker fails.' },
        ...made.flatMap(({ says, call, result }) => [
          ...(says === undefined ? [] : [{ role: 'assistant', content: says }]),
          { type: 'function_call', call_id: call, name: 'read', arguments: `{"path":"${call}"}` },
          { type: 'function_call_output', call_id: call, output: result },
        ]),
      ],
    }),
  },
  {
    name: 'gemini',
    path: `/v1beta/models/${names.gemini}:generateContent`,
    headers: { 'x-goog-api-key': 'key' },
    body: (made, hasTools = true) => ({
      generationConfig: { maxOutputTokens: 100 },
      ...(hasTools && { tools: [{ functionDeclarations: [{ name: 'read', description: 'Reads.' }] }] }),
      systemInstruction: { parts: [{ text: 'You are an agent.' }] },
      contents: [
        { role: 'user', parts: [{ text: 'Find why the worker fails.' }] },
        ...made.flatMap(({ says, call, result }) => [
          {
            role: 'model',
            parts: [
              ...(says === undefined ? [] : [{ text: says }]),
              { functionCall: { name: 'read', args: { path: call } } },
            ],
          },
          { role: 'user', parts: [{ functionResponse: { name: 'read', response: { output: result } } }] },
        ]),
      ],
    }),
  },
]

const open = (policy: NonNullable<TestGatewayOptions['config']>['policy']): Promise<TestGateway> =>
  testGateway({ config: { models, policy }, script: () => 'done' })

async function sentBy(gateway: TestGateway, wire: Wire, body: object) {
  const headers = { 'content-type': 'application/json', ...wire.headers }
  const response = await fetch(gateway.url + wire.path, { method: 'POST', headers, body: JSON.stringify(body) })
  const said = await response.text()
  const outcome = response.headers.get('x-prehend-outcome')
  // Absent where all went well.
  return { status: response.status, outcome: outcome ?? 'ok', said, sent: gateway.provider.requests.at(-1)?.body ?? '' }
}

describe.each(wires)('a full window: $name', (wire) => {
  it('a fresh result that is larger than it is shown by its ends and its failures', async () => {
    const gateway = await open('careful')
    const ended = await sentBy(gateway, wire, wire.body([...steps(3), { call: 'all', result: log(4_000) }]))
    expect([ended.status, ended.outcome]).toEqual([200, 'ok'])
    expect(ended.sent).toContain('handled request 0 in')
    expect(ended.sent).toContain('connection to db-7 refused')
    expect(ended.sent).toContain(`handled request ${3_999 * 31} in`)
    expect(ended.sent).toMatch(/lines \d+-\d+ folded: rehydrate/)
    const [receipt] = await gateway.store.receipts('default', { limit: 1 })
    expect(receipt?.outcome).toBe('ok')
  })

  it('a session goes on for as long as its client likes, and the provider takes every request', async () => {
    const gateway = await open('careful')
    for (const count of [20, 60, 61, 150, 151]) {
      const { status, outcome, said, sent } = await sentBy(gateway, wire, wire.body(steps(count)))
      expect([count, status, outcome, status === 200 ? '' : said]).toEqual([count, 200, 'ok', ''])
      expect(sent).toContain('Find why the worker fails.')
      expect(sent).toContain(`part-${count - 1}`)
    }
    expect(gateway.provider.requests.at(-1)?.body).toMatch(/\[Steps 2-\d+ left out, \d+ tokens\] rehydrate/)
  })

  it('without a tool that could follow handles, what does not fit is left out, and no handle is named', async () => {
    const gateway = await open('careful')
    for (const count of [20, 150, 151]) {
      const { status, outcome, sent } = await sentBy(gateway, wire, wire.body(steps(count), false))
      expect([count, status, outcome]).toEqual([count, 200, 'ok'])
      expect(sent).not.toContain('rehydrate')
      expect(sent).toContain(`part-${count - 1}`)
    }
  })
})

describe('a fresh result that is larger than the window, by policy', () => {
  const [chat] = wires
  const body = chat!.body([...steps(3), { call: 'all', result: log(4_000) }])

  // What has to be given for a step's pack no chat gives.
  const all = Object.keys(policies).filter((id) => policies[id]?.requires === undefined)
  const refusing = all.filter((id) => policies[id]?.overflow === 'fail-loud')

  it.each(refusing)('is refused under %s, which forbids to hide anything', async (policy) => {
    const { status, outcome } = await sentBy(await open(policy), chat!, body)
    expect([status, outcome]).toEqual([422, 'budget-exhausted'])
  })

  const relieved = { extends: 'careful', id: 'relieved', version: '1.0.0', relief: 'step-pack' } as const

  it.each([...all.filter((id) => !refusing.includes(id)), relieved])('fits under %s', async (policy) => {
    const gateway = await open(policy)
    const { status, outcome, sent } = await sentBy(gateway, chat!, body)
    expect([status, outcome]).toEqual([200, 'ok'])
    expect(sent.length).toBeLessThan(4 * windowTokens)
  })
})
