import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import type { ModelPreference, PolicyOverrides } from '../../core/index.ts'
import type { Fault, SimulatedRequest, ScriptEntry } from '../../providers/index.ts'
import { answered, parseConfig } from '../index.ts'
import type { GatewayConfigInput, Layer, TierLayer } from '../index.ts'
import { waysToAsk } from '../seams/ask.fixture.ts'
import { anthropicFixture, closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway, TestGatewayOptions } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const cheap = { 'openai-chat': 'gpt-5-mini', 'anthropic-messages': 'claude-haiku-4-5' }
const dear = { 'openai-chat': 'gpt-5.1', 'anthropic-messages': 'claude-opus-4-6' }
const modelRoutes = { 'prehend/auto': { cheap, dear } }

interface Routed extends Omit<TestGatewayOptions, 'config' | 'script'> {
  readonly preference: ModelPreference
  readonly overrides?: PolicyOverrides
  readonly config?: GatewayConfigInput
  readonly says?: (model: string, request: SimulatedRequest) => ScriptEntry | undefined
}

/** A gateway whose policy has a preference, and the models that its provider was asked for. */
async function routed({ preference, overrides = {}, config, says = () => 'done', ...rest }: Routed) {
  const asked: string[] = []
  const house = { extends: 'thrifty', id: 'house', version: '1.0.0', modelPreference: preference, overrides }
  const gateway = await testGateway({
    config: { modelRoutes, policy: house, ...config },
    script: (request) => {
      const model = String(request.json?.['model'])
      asked.push(model)
      return says(model, request)
    },
    ...rest,
  })
  return { gateway, asked }
}

it.each([
  ['/v1/responses', { model: 'prehend/auto', input: 'Hello.' }, 'gpt-5.1'],
  [
    '/v1beta/models/prehend/auto:generateContent',
    { contents: [{ role: 'user', parts: [{ text: 'Hello.' }] }] },
    'claude-opus-4-6',
  ],
])(
  'where none is named for a dialect, OpenAI’s two stand in for each other, else the first: %s',
  async (path, body, model) => {
    const named = { 'anthropic-messages': dear['anthropic-messages'], 'openai-chat': dear['openai-chat'] }
    const config = { modelRoutes: { 'prehend/auto': { cheap, dear: named } } }
    const { gateway } = await routed({ preference: 'paranoid', config })
    const response = await post(gateway, { ...openaiFixture, path }, body)
    expect(response.headers.get('x-prehend-routed')).toBe(`T2; ${model}; paranoid`)
  },
)

const isCheap = (model: string): boolean => Object.values(cheap).includes(model)

const receiptsOf = async ({ store }: TestGateway) =>
  (await store.read('receipts').list('default', { limit: 9 })).map(({ model, result }) => ({
    model,
    status: result?.status,
    routed: result?.routed,
    failed: result?.failure !== undefined || (result?.status ?? 0) >= 400,
  }))

const overloaded: Fault = { kind: 'error', status: 529, message: 'Overloaded.' }

describe.each(waysToAsk)('a model that the policy chooses: $name', ({ dialect, stream }) => {
  const { fixture, ask } = dialect
  const name = fixture.name as keyof typeof cheap
  const body = (more: object = {}) => fixture.body(1, { model: 'prehend/auto', ...more })

  it('V-012, V-103: paranoid asks the dear one, cheap first the cheap one, and the receipt says which and why', async () => {
    const paranoid = await routed({ preference: 'paranoid' })
    expect((await ask(paranoid.gateway, body(), stream)).text).toBe('done')
    expect(paranoid.asked).toEqual([dear[name]])
    const why = 'the dear one for everything'
    const told = { name: 'prehend/auto', preference: 'paranoid', why, tier: 'T2', model: dear[name] }
    await expect.poll(() => receiptsOf(paranoid.gateway)).toMatchObject([{ model: dear[name], routed: told }])

    const thrifty = await routed({ preference: 'cheap-first' })
    const response = await post(thrifty.gateway, fixture, body({ stream }))
    expect(response.headers.get('x-prehend-routed')).toBe(`T1; ${cheap[name]}; cheap-first`)
    await response.text()
    expect(thrifty.asked).toEqual([cheap[name]])
  })

  it('V-012: balanced has the cheap one execute and the dear one plan', async () => {
    const { gateway, asked } = await routed({ preference: 'balanced' })
    for (const agentPhase of ['planning', 'executing', 'reviewing'])
      expect((await post(gateway, fixture, body({ stream, prehend: { agentPhase } }))).status).toBe(200)
    // What the conversation itself shows: it has only looked so far.
    expect((await ask(gateway, body(), stream)).text).toBe('done')
    expect(asked).toEqual([dear[name], cheap[name], dear[name], dear[name]])
  })

  it.each<[string, ScriptEntry, string]>([
    ['is overloaded', { fault: overloaded }, 'it answered 529'],
    ['refuses', { fault: { kind: 'refusal' } }, 'it refused'],
    ['says nothing', '', 'it said nothing'],
  ])(
    'V-103: cheap first asks the dear one where the cheap one %s, and nobody sees the first try',
    async (_, entry, because) => {
      const { gateway, asked } = await routed({
        preference: 'cheap-first',
        says: (model) => (isCheap(model) ? entry : 'I can'),
      })
      expect((await ask(gateway, body(), stream)).text).toBe('I can')
      expect(asked).toEqual([cheap[name], dear[name]])
      await expect
        .poll(async () => (await receiptsOf(gateway)).map(({ routed: told, failed }) => ({ ...told, failed })))
        .toEqual([
          expect.objectContaining({
            tier: 'T2',
            model: dear[name],
            passed: [{ tier: 'T1', model: cheap[name], because }],
            failed: false,
          }),
          expect.objectContaining({ tier: 'T1', model: cheap[name], failed: true }),
        ])
      const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
      expect(metrics).toMatch(/routed_requests_total\{tier="T2"\} 1/)
      // The next request begins with the cheap one again.
      await ask(gateway, body(), stream)
      expect(asked.slice(2)).toEqual([cheap[name], dear[name]])
    },
  )

  it('V-103: a hard constraint that the cheap one breaks is for the dear one to keep, at once', async () => {
    const constraints = [{ text: 'Name no customer.', strength: 'hard', check: { lacks: ['ACME'] } }] as const
    const { gateway, asked } = await routed({
      preference: 'cheap-first',
      config: { constraints: [...constraints] },
      says: (model) => (isCheap(model) ? 'ACME' : 'A customer'),
    })
    expect((await ask(gateway, body(), stream)).text).toBe('A customer')
    expect(asked).toEqual([cheap[name], dear[name]])
  })

  it('V-103: one that was cut off goes to the dear one, unless that is the limit that its client has set', async () => {
    const long = Array.from({ length: 400 }, (_, at) => `word${at}`).join(' ')
    const says = (model: string) => (isCheap(model) ? long : 'short')
    const config: GatewayConfigInput = { models: { [cheap[name]]: { maxOutputTokens: 60 } } }
    const usage = stream && name === 'openai-chat' ? { stream_options: { include_usage: true } } : {}
    const limited = (most: number) => (name === 'openai-chat' ? { max_completion_tokens: most } : { max_tokens: most })
    const { gateway, asked } = await routed({ preference: 'cheap-first', config, says })
    expect((await ask(gateway, body({ ...limited(30), ...usage }), stream)).text).toMatch(/^word0 /)
    expect(asked).toEqual([cheap[name]])
    // OpenAI's clients need not set one: then it is the model's own.
    if (name === 'anthropic-messages') return
    expect((await ask(gateway, body(), stream)).text).toBe('short')
    expect(asked.slice(1)).toEqual([cheap[name], dear[name]])
  })

  it('V-103: what the host answers without a model calls none; what it does not answer goes to the cheap one', async () => {
    const host = { layers: [answering('Who are you?', 'A table.')] }
    const asking = (text: string) => ({ ...body(), messages: [...body().messages, fixture.says(text)] })
    const { gateway, asked } = await routed({ preference: 'cheap-first', host })
    expect((await ask(gateway, asking('Who are you?'), stream)).text).toBe('A table.')
    expect(asked).toEqual([])
    expect((await ask(gateway, asking('And you?'), stream)).text).toBe('done')
    expect(asked).toEqual([cheap[name]])
    const paranoid = await routed({ preference: 'paranoid', host })
    await ask(paranoid.gateway, asking('Who are you?'), stream)
    expect(paranoid.asked).toEqual([dear[name]])
  })

  it('a model that the client has named itself is never changed', async () => {
    const { gateway, asked } = await routed({ preference: 'cheap-first', host: { layers: [answering('Find', 'No.')] } })
    const response = await post(gateway, fixture, fixture.body(1, { model: dear[name], stream }))
    expect(response.headers.get('x-prehend-routed')).toBeNull()
    await response.text()
    expect(asked).toEqual([dear[name]])
  })
})

/** Knows one answer. */
function answering(question: string, text: string): TierLayer {
  const layer: Layer = {
    name: 'table',
    failure: 'open',
    handle: async (exchange, next) =>
      exchange.conversation.items.at(-1)?.text === question ? answered(exchange, { text }) : next(exchange),
  }
  return { layer, tier: 'T0' }
}

describe('what holds for the model that was chosen', () => {
  it('V-103: its window and the figures of its tier', async () => {
    const { gateway } = await routed({
      preference: 'balanced',
      config: { models: { 'gpt-5-mini': { windowTokens: 40_000 } } },
      overrides: { modelTier: { T1: { contextTokens: 12_000 } } },
    })
    const windows: unknown[] = []
    for (const agentPhase of ['executing', 'planning']) {
      const request = openaiFixture.body(2, { model: 'prehend/auto', prehend: { agentPhase } })
      await (await post(gateway, openaiFixture, request)).text()
      const [summary] = await gateway.store.read('receipts').list('default', { limit: 1 })
      const receipt = await gateway.store.read('receipts').get('default', summary!.requestId)
      windows.push([receipt?.manifest.windowTokens, receipt?.manifest.overrides])
    }
    const [[small, overrides], [large]] = windows as [[number, string[]], [number]]
    expect(overrides).toEqual(['modelTier T1'])
    expect(small).toBeLessThan(40_000)
    expect(large).toBeGreaterThan(100_000)
  })

  it('V-009: regime and task of a request change the preference', async () => {
    const { gateway, asked } = await routed({
      preference: 'paranoid',
      overrides: {
        taskClass: { small: { modelPreference: 'cheap-first' } },
        regime: { volatile: { modelPreference: 'paranoid' } },
      },
    })
    const situations = [{}, { taskClass: 'small' }, { taskClass: 'small', regime: 'volatile' }]
    for (const prehend of situations)
      await (await post(gateway, openaiFixture, openaiFixture.body(1, { model: 'prehend/auto', prehend }))).text()
    expect(asked).toEqual(['gpt-5.1', 'gpt-5-mini', 'gpt-5.1'])
  })

  it('a risk that the request states asks for the dear one', async () => {
    const { gateway, asked } = await routed({ preference: 'balanced' })
    for (const risk of ['low', 'high']) {
      const prehend = { agentPhase: 'executing', limits: { risk } }
      await (await post(gateway, openaiFixture, openaiFixture.body(1, { model: 'prehend/auto', prehend }))).text()
    }
    expect(asked).toEqual(['gpt-5-mini', 'gpt-5.1'])
  })

  it('fallbacks of the model that was chosen stand in before the next tier is asked', async () => {
    const { gateway, asked } = await routed({
      preference: 'cheap-first',
      config: { fallbacks: { 'gpt-5-mini': ['gpt-5-nano'] } },
      says: (model) => (model === 'gpt-5-mini' ? { fault: { ...overloaded, status: 503 } } : 'ok'),
    })
    expect((await post(gateway, openaiFixture, openaiFixture.body(1, { model: 'prehend/auto' }))).status).toBe(200)
    expect(asked).toEqual(['gpt-5-mini', 'gpt-5-nano'])
  })

  it('what the dear one says is the answer, whatever it is', async () => {
    const { gateway, asked } = await routed({
      preference: 'cheap-first',
      says: (model) => ({ fault: { ...overloaded, status: isCheap(model) ? 503 : 529 } }),
    })
    const response = await post(gateway, anthropicFixture, anthropicFixture.body(1, { model: 'prehend/auto' }))
    expect([response.status, asked.length]).toEqual([529, 2])
  })

  it('an agent at work asks both by their SDKs, and each model keeps its own conversation', async () => {
    const { gateway, asked } = await routed({ preference: 'balanced' })
    const openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'key', maxRetries: 0 })
    const anthropic = new Anthropic({ baseURL: gateway.url, apiKey: 'key', maxRetries: 0 })
    const messages = [{ role: 'user' as const, content: 'Hello.' }]
    const said = await openai.chat.completions.create({ model: 'prehend/auto', messages })
    const other = await anthropic.messages.create({ model: 'prehend/auto', max_tokens: 50, messages })
    expect([said.model, other.model]).toEqual(['gpt-5-mini', 'claude-haiku-4-5'])
    const { input_tokens: counted } = await anthropic.messages.countTokens({ model: 'prehend/auto', messages })
    expect(counted).toBeGreaterThan(0)
    expect(asked).toEqual(['gpt-5-mini', 'claude-haiku-4-5'])
  })

  it.each(['auto', 'house/auto:any', 'house%2Fauto%3Aany', 'models%2Fhouse%2Fauto:any'])(
    'a name in a path, as Gemini’s clients have it, is chosen for like any other: %s',
    async (name) => {
      const route = { cheap: 'gemini-2.5-flash', dear: 'gemini-2.5-pro' }
      const config = { modelRoutes: { 'auto': route, 'house/auto:any': route } }
      const { gateway } = await routed({ preference: 'paranoid', config })
      const response = await fetch(`${gateway.url}/v1beta/models/${name}:generateContent`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-goog-api-key': 'key' },
        body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hello.' }] }] }),
      })
      const asked = gateway.provider.requests.map(({ path }) => path)
      expect([response.status, asked]).toEqual([200, ['/v1beta/models/gemini-2.5-pro:generateContent']])
    },
  )

  it('a body that nobody can read has no model chosen for it, and is refused', async () => {
    const { gateway, asked } = await routed({ preference: 'paranoid' })
    const response = await post(gateway, openaiFixture, '{"model":"prehend/auto","messages":7}')
    expect([response.status >= 400, asked]).toEqual([true, []])
  })

  it.each<[GatewayConfigInput, string]>([
    [{ modelRoutes: { auto: { cheap: 'a', dear: {} } } }, 'modelRoutes.auto.dear'],
    [{ modelRoutes: { auto: { cheap: 'auto', dear: 'b' } } }, 'modelRoutes.auto.cheap'],
    [{ modelRoutes, aliases: { 'prehend/auto': 'gpt-5.1' } }, 'aliases.prehend/auto'],
    [{ modelRoutes: { auto: { cheap: 'a' } } } as unknown as GatewayConfigInput, 'modelRoutes.auto.dear'],
  ])('a configuration that cannot be followed is refused by its path: %#', (config, field) => {
    expect(() => parseConfig(config)).toThrow(
      expect.objectContaining({ code: 'invalid-input', data: expect.objectContaining({ field }) }),
    )
  })
})
