import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import type { ProviderName } from '../../providers/index.ts'
import { rawRequest } from './raw-request.fixture.ts'
import { closeSocketGateways, socketGateway } from './socket-gateway.fixture.ts'
import type { SocketGateway } from './socket-gateway.fixture.ts'
import { anthropicFixture, openaiFixture } from './test-gateway.fixture.ts'
import type { DialectFixture } from './test-gateway.fixture.ts'

afterEach(closeSocketGateways)

const ask = ({ url }: SocketGateway, { path, headers, body }: DialectFixture, more: Record<string, unknown> = {}) =>
  rawRequest(url, {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ ...body(0), ...more }),
  })

describe('a provider that is not configured, beside one that is', () => {
  it.each<{ only: ProviderName; dialect: DialectFixture; model: string; variable: string }>([
    { only: 'openai', dialect: anthropicFixture, model: 'claude-sonnet-4-6', variable: 'ANTHROPIC_API_KEY' },
    { only: 'openai', dialect: anthropicFixture, model: 'whatever', variable: 'ANTHROPIC_API_KEY' },
    { only: 'anthropic', dialect: openaiFixture, model: 'gpt-5.1', variable: 'OPENAI_API_KEY' },
    { only: 'anthropic', dialect: openaiFixture, model: 'deepseek-v4-pro', variable: 'DEEPSEEK_API_KEY' },
    { only: 'deepseek', dialect: openaiFixture, model: 'gpt-5.1', variable: 'OPENAI_API_KEY' },
  ])(
    'only $only: $dialect.name for $model is a 503 that names $variable',
    async ({ only, dialect, model, variable }) => {
      const gateway = await socketGateway({ providers: [only] })
      const { status, text, headers } = await ask(gateway, dialect, { model })
      expect(status).toBe(503)
      expect(headers['x-prehend-upstream']).toBeUndefined()
      const { error, type } = JSON.parse(text) as { type?: string; error: { message: string; type: string } }
      expect([type, error.type]).toEqual(
        dialect === anthropicFixture ? ['error', 'api_error'] : [undefined, 'server_error'],
      )
      for (const said of [variable, '--upstream', '--simulate']) expect(error.message).toContain(said)
      expect(gateway.arrived).toEqual([])
    },
  )

  it.each<[ProviderName, string, Record<string, string>]>([
    ['openai', '/v1/models', { 'anthropic-version': '2023-06-01' }],
    ['openai', '/v1/messages/batches', {}],
    ['anthropic', '/v1/models', {}],
    ['anthropic', '/v1/embeddings', {}],
  ])('only %s: so is %s with %j', async (provider, path, headers) => {
    const gateway = await socketGateway({ providers: [provider] })
    const { status, text } = await rawRequest(gateway.url, { path, headers })
    expect(status).toBe(503)
    expect(text).toContain(provider === 'openai' ? 'ANTHROPIC_API_KEY' : 'OPENAI_API_KEY')
    expect(gateway.arrived).toEqual([])
  })

  it('is asked for once by the official SDKs: another try would change nothing', async () => {
    const gateway = await socketGateway({ providers: ['deepseek'] })
    const openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'key' })
    const anthropic = new Anthropic({ baseURL: gateway.url, apiKey: 'key' })
    const body = anthropicFixture.body(0) as unknown as Anthropic.MessageCreateParamsNonStreaming
    await expect(
      openai.chat.completions.create({ model: 'gpt-5.1', messages: [{ role: 'user', content: 'Hi' }] }),
    ).rejects.toMatchObject({
      status: 503,
    })
    await expect(anthropic.messages.create(body)).rejects.toMatchObject({ status: 503 })
    expect(gateway.log.filter(({ event }) => event === 'refused').map(({ fields }) => fields['code'])).toEqual([
      'not-configured',
      'not-configured',
    ])
  })

  it('what names no model goes to the one of its dialect that is', async () => {
    const gateway = await socketGateway({ providers: ['deepseek'] })
    for (const path of ['/v1/models', '/v1/embeddings'])
      expect((await rawRequest(gateway.url, { path })).text).toBe('{"provider":"deepseek"}')
    expect((await ask(gateway, openaiFixture, { model: 'deepseek-v4-pro' })).text).toBe('{"provider":"deepseek"}')
  })
})

describe('servers by name, beside the providers', () => {
  const names = ['openai', 'deepseek', 'groq', 'mybox', 'claudes']
  const settings = {
    groq: { models: ['llama-3*', 'openai/*', 'GPT-5.1-mini'] },
    claudes: { dialect: 'anthropic-messages', models: ['*sonnet*'] },
  }
  const answered = async (dialect: DialectFixture, model: string) => {
    const gateway = await socketGateway({ providers: names, settings })
    const { text } = await ask(gateway, dialect, { model })
    const [{ headers } = { headers: undefined }] = gateway.arrived
    return [JSON.parse(text), headers?.authorization ?? headers?.['x-api-key']]
  }

  it.each([
    ['what it says that it takes', 'groq', 'llama-3.3-70b'],
    ['with a slash in the name', 'groq', 'openai/gpt-oss-120b'],
    ['before its own provider, in any case', 'groq', 'gpt-5.1-mini'],
    ['not what only looks alike', 'mybox', 'my-llama-3.3'],
    ['to its own provider', 'openai', 'gpt-5.1'],
    ['to its own provider', 'deepseek', 'deepseek-v4-pro'],
    ['what nobody else takes to the one that was named for it', 'mybox', 'some-model'],
  ])('a model goes: %s, to %s', async (_, provider, model) => {
    expect(await answered(openaiFixture, model)).toEqual([{ provider }, `Bearer key of ${provider}`])
  })

  it('in the dialect that they are said to speak, with the key where they may look for it', async () => {
    const claudes = await socketGateway({ providers: names, settings })
    expect((await ask(claudes, anthropicFixture, { model: 'claude-sonnet-4-6' })).text).toBe('{"provider":"claudes"}')
    const [{ headers } = { headers: undefined }] = claudes.arrived
    expect(headers).toMatchObject({ 'x-api-key': 'key of claudes', 'authorization': 'Bearer key of claudes' })
    const gateway = await socketGateway({ providers: names, settings })
    expect((await ask(gateway, anthropicFixture, { model: 'claude-opus-4-6' })).status).toBe(503)
  })
})

describe('servers that are known by name', () => {
  const providers = ['openai', 'groq', 'moonshot', 'xai', 'zai', 'mistral', 'qwen', 'openrouter']

  it.each([
    ['kimi-k3', 'moonshot'],
    ['grok-4.7', 'xai'],
    ['glm-5.2', 'zai'],
    ['devstral-2512', 'mistral'],
    ['qwen3.7-plus', 'qwen'],
    ['gpt-5.1', 'openai'],
    ['llama-3.3-70b-versatile', 'groq'],
    ['moonshotai/kimi-k3', 'groq'],
    ['qwen3-coder:30b', 'groq'],
  ])('are asked for what is theirs: %s', async (model, provider) => {
    const gateway = await socketGateway({ providers })
    await ask(gateway, openaiFixture, { model })
    expect(gateway.arrived.map((arrived) => arrived.provider)).toEqual([provider])
  })

  it('are not asked for what another says that it takes', async () => {
    const gateway = await socketGateway({ providers, settings: { groq: { models: ['kimi-*'] } } })
    await ask(gateway, openaiFixture, { model: 'kimi-k3' })
    expect(gateway.arrived.map((arrived) => arrived.provider)).toEqual(['groq'])
  })
})

describe('names of models', () => {
  const providers = ['openai', 'anthropic', 'openrouter', 'mybox']
  const config = { aliases: { fast: 'openrouter/openai/gpt-5.1-mini', smart: 'claude-opus-4-6', local: 'mybox/llama' } }
  const arrivedFor = async (dialect: DialectFixture, model: string) => {
    const gateway = await socketGateway({ providers, config, settings: { mybox: { models: ['openrouter/own'] } } })
    const { status } = await ask(gateway, dialect, { model })
    const [{ provider, path, body, headers } = await Promise.reject(new Error(`nobody was asked: ${status}`))] =
      gateway.arrived
    const { model: asked } = JSON.parse(body.toString()) as { model: string }
    return { provider, path, asked, key: headers['x-api-key'] ?? headers.authorization }
  }

  it.each([
    ['the upstream before it', 'openrouter/openai/gpt-5.1', 'openrouter', 'openai/gpt-5.1'],
    ['a model whose vendor the upstream is', 'openrouter/auto', 'openrouter', 'openrouter/auto'],
    ['no vendor, where all of a server have one', 'some-model', 'openai', 'some-model'],
    ['an alias', 'fast', 'openrouter', 'openai/gpt-5.1-mini'],
    ['an alias of a local one', 'local', 'mybox', 'llama'],
    ['a whole name that an upstream takes', 'openrouter/own', 'mybox', 'openrouter/own'],
    ['a name that only looks like an upstream', 'nobody/gpt-5.1', 'openai', 'nobody/gpt-5.1'],
  ])('say who is asked: %s', async (_, model, provider, asked) => {
    expect(await arrivedFor(openaiFixture, model)).toMatchObject({ provider, asked, path: '/v1/chat/completions' })
  })

  it.each([
    {
      where: 'its own provider has the model',
      dialect: openaiFixture,
      model: 'claude-sonnet-4-6',
      provider: 'anthropic',
    },
    { where: 'an alias names one of those', dialect: openaiFixture, model: 'smart', provider: 'anthropic' },
    { where: 'the upstream is named', dialect: anthropicFixture, model: 'openai/gpt-5.1', provider: 'openai' },
    { where: 'an alias names it', dialect: anthropicFixture, model: 'local', provider: 'mybox' },
  ])('lead to another dialect where $where', async ({ dialect, model, provider }) => {
    const arrived = await arrivedFor(dialect, model)
    const own: Record<string, string> = { 'smart': 'claude-opus-4-6', 'openai/gpt-5.1': 'gpt-5.1', 'local': 'llama' }
    expect(arrived).toMatchObject({ provider, asked: own[model] ?? model })
    expect(arrived.path).toBe(provider === 'anthropic' ? '/v1/messages' : '/v1/chat/completions')
    expect(arrived.key).toBe(provider === 'anthropic' ? 'key of anthropic' : `Bearer key of ${provider}`)
  })

  it("are read in Gemini's paths as well", async () => {
    const gateway = await socketGateway({
      providers: [...providers, 'google'],
      config: { aliases: { flash: 'gemini-3.5-flash', ...config.aliases } },
    })
    const body = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hi.' }] }] })
    const headers = { 'content-type': 'application/json' }
    for (const model of ['flash', 'smart'])
      await rawRequest(gateway.url, {
        method: 'POST',
        path: `/v1beta/models/${model}:generateContent?x=1`,
        headers,
        body,
      })
    expect(gateway.arrived.map(({ provider, path }) => [provider, path])).toEqual([
      ['google', '/v1beta/models/gemini-3.5-flash:generateContent?x=1'],
      ['anthropic', '/v1/messages'],
    ])
  })

  it('are not looked for in another dialect where the client has its own provider for them', async () => {
    expect(await arrivedFor(anthropicFixture, 'some-model')).toMatchObject({ provider: 'anthropic' })
    expect(await arrivedFor(openaiFixture, 'gpt-5.1')).toMatchObject({ provider: 'openai' })
  })
})

describe('where none is configured, the simulated provider answers, and says so', () => {
  const bare = () => socketGateway({ providers: [] })

  it.each([openaiFixture, anthropicFixture])('in a header: $name', async (dialect) => {
    const gateway = await bare()
    for (const more of [{}, { stream: true }, { messages: 5 }]) {
      const { headers } = await ask(gateway, dialect, more)
      expect(headers).toMatchObject({ 'x-prehend-upstream': 'simulated', 'x-prehend-simulated': 'true' })
    }
  })

  it.each([
    { dialect: openaiFixture, more: { model: 'my-own-model' } },
    { dialect: openaiFixture, more: { model: 'claude-sonnet-4-5' } },
    { dialect: openaiFixture, more: { model: 'gpt-5.1', max_tokens: 32_000, temperature: 0.3 } },
    { dialect: openaiFixture, more: { model: 'gpt-4o', max_tokens: 2_000_000 } },
    { dialect: openaiFixture, more: { top_k: 40, thinking: { type: 'enabled' }, n: 2, stream_options: {} } },
    { dialect: anthropicFixture, more: { model: 'glm-4.7' } },
    { dialect: anthropicFixture, more: { model: 'gpt-5.1', max_tokens: 2_000_000, top_k: 7 } },
    { dialect: anthropicFixture, more: { thinking: { type: 'enabled', budget_tokens: 5000 }, tomorrow: true } },
  ])('any model and any parameters are taken: $dialect.name $more', async ({ dialect, more }) => {
    const gateway = await bare()
    for (const stream of [false, true]) {
      const { status, text } = await ask(gateway, dialect, { ...more, stream })
      expect([status, text]).toEqual([200, expect.stringContaining('Find')])
    }
  })

  it('in every error', async () => {
    const gateway = await bare()
    for (const dialect of [openaiFixture, anthropicFixture]) {
      const { status, text } = await ask(gateway, dialect, { messages: 'hi' })
      expect([status, text]).toEqual([400, expect.stringContaining('"(simulated provider) ')])
    }
    const { status, text } = await rawRequest(gateway.url, { method: 'POST', path: '/v1/audio/speech', body: '{}' })
    expect([status, text]).toEqual([404, expect.stringContaining('"(simulated provider) ')])
  })

  it('in its list of models', async () => {
    const gateway = await bare()
    const openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'key' })
    const anthropic = new Anthropic({ baseURL: gateway.url, apiKey: 'key' })
    const { data } = await openai.models.list()
    expect(data.length).toBeGreaterThan(3)
    for (const model of data) expect(model.owned_by).toBe('simulated provider')
    for (const model of (await anthropic.models.list()).data)
      expect(model.display_name).toBe(`${model.id} (simulated provider)`)
    expect((await openai.models.retrieve('my-own-model')).owned_by).toBe('simulated provider')
  })
})
