// How much a model is to think, asked for in one dialect and told in another.
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI, ThinkingLevel } from '@google/genai'
import OpenAI from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import type { KnownDialect } from '../../core/index.ts'
import { closeTestGateways, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const models: readonly (readonly [KnownDialect, readonly string[]])[] = [
  ['openai-chat', ['gpt-4.1', 'o4-mini', 'gpt-5', 'gpt-5.1', 'gpt-5.6-sol', 'deepseek-v4-pro']],
  ['openai-responses', ['gpt-4.1', 'gpt-5.1', 'gpt-5.6-sol']],
  [
    'anthropic-messages',
    [
      'claude-haiku-4-5',
      'claude-sonnet-4-6',
      'claude-opus-4-8',
      'claude-opus-5',
      'claude-sonnet-5-5',
      'claude-fable-5',
    ],
  ],
  ['gemini', ['gemini-2.5-pro', 'gemini-2.5-flash', 'gemini-3.5-flash', 'gemini-3.1-pro-preview']],
]

type Ask = (url: string, model: string) => Promise<unknown>

const words = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
const askers: Readonly<Record<KnownDialect, readonly Ask[]>> = {
  'openai-chat': words.map((reasoning_effort) => (url, model) => {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'key', maxRetries: 0 })
    const call = { id: 'c1', type: 'function' as const, function: { name: 'read', arguments: '{}' } }
    return client.chat.completions.create({
      model,
      reasoning_effort,
      tools: [{ type: 'function', function: { name: 'read', parameters: { type: 'object', properties: {} } } }],
      messages: [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c1', content: 'done' },
      ],
    })
  }),
  'openai-responses': words.map((effort) => (url, model) => {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'key', maxRetries: 0 })
    return client.responses.create({ model, reasoning: { effort }, input: 'go', temperature: 1, store: false })
  }),
  'anthropic-messages': (
    [
      { thinking: { type: 'enabled', budget_tokens: 31_999 } },
      { thinking: { type: 'disabled' } },
      { thinking: { type: 'adaptive' }, output_config: { effort: 'xhigh' } },
    ] as const
  ).map((more) => (url, model) => {
    const client = new Anthropic({ baseURL: url, apiKey: 'key', maxRetries: 0 })
    const messages = [{ role: 'user' as const, content: 'go' }]
    return client.messages.stream({ model, max_tokens: 32_000, messages, ...more }).finalMessage()
  }),
  'gemini': [{ thinkingBudget: 0 }, { thinkingBudget: 20_000 }, { thinkingLevel: ThinkingLevel.HIGH }].map(
    (thinkingConfig) => (url, model) => {
      const client = new GoogleGenAI({ apiKey: 'key', httpOptions: { baseUrl: url } })
      return client.models.generateContent({ model, contents: 'go', config: { thinkingConfig } })
    },
  ),
}

function sent(gateway: TestGateway) {
  return JSON.parse(gateway.provider.requests.at(-1)!.body)
}

describe.each(models)('a provider of %s', (dialect, known) => {
  const clients = (Object.keys(askers) as KnownDialect[]).filter((client) => client !== dialect)
  it.each(clients)('takes what %s asks for, whatever its model', async (client) => {
    const gateway = await testGateway({ speaks: dialect, script: () => 'ok' })
    for (const model of known) for (const ask of askers[client]) await ask(gateway.url, model)
    const { requests } = gateway.provider
    expect(requests.map(({ status }) => status)).toEqual(requests.map(() => 200))
    expect(requests).toHaveLength(known.length * askers[client].length)
  })
})

describe('what an SDK asks for', () => {
  it("OpenAI's effort is Anthropic's, between calls as well", async () => {
    const gateway = await testGateway({ speaks: 'anthropic-messages', script: () => 'ok' })
    await askers['openai-chat'][words.indexOf('high')]!(gateway.url, 'claude-sonnet-4-6')
    expect(sent(gateway)).toMatchObject({ thinking: { type: 'adaptive' }, output_config: { effort: 'high' } })
  })

  it("Anthropic's budget is OpenAI's effort, and what is not exact is in the receipt", async () => {
    const gateway = await testGateway({ speaks: 'openai-responses', script: () => 'ok' })
    await askers['anthropic-messages'][0]!(gateway.url, 'gpt-5.1')
    expect(sent(gateway).reasoning).toEqual({ effort: 'high' })
    const [receipt] = await gateway.store.read('receipts').list('default', { limit: 1 })
    expect(receipt?.result?.crossed?.lost).toEqual([
      { kind: 'sampling', what: 'reasoning', why: '31999 tokens are about "high" here' },
    ])
  })

  it("Gemini's level is OpenAI's effort", async () => {
    const gateway = await testGateway({ speaks: 'openai-chat', script: () => 'ok' })
    await askers.gemini[2]!(gateway.url, 'gpt-5.1')
    expect(sent(gateway).reasoning_effort).toBe('high')
  })

  it('is sent as it came to a provider of the same dialect', async () => {
    const gateway = await testGateway({ script: () => 'ok' })
    await askers['anthropic-messages'][2]!(gateway.url, 'claude-opus-5')
    expect(sent(gateway)).toMatchObject({ thinking: { type: 'adaptive' }, output_config: { effort: 'xhigh' } })
    await askers['openai-chat'][6]!(gateway.url, 'gpt-5.6-sol')
    expect(sent(gateway).reasoning_effort).toBe('max')
  })
})
