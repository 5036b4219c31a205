import { afterEach, describe, expect, it } from 'vitest'
import { isPrehendError } from '../../core/index.ts'
import type { GatewayConfigInput } from '../index.ts'
import { parseConfig, providerUpstreams } from '../index.ts'
import { rawRequest } from './raw-request.fixture.ts'
import { closeSocketGateways, socketGateway } from './socket-gateway.fixture.ts'
import type { Answering, SocketGateway } from './socket-gateway.fixture.ts'

afterEach(closeSocketGateways)

const providers = ['openai', 'anthropic', 'google', 'mine']
type Settings = Record<string, object>
const keyless = (more: Settings = {}): Settings =>
  Object.fromEntries(providers.map((name) => [name, { apiKey: undefined, ...more[name] }]))

const clients = {
  openai: {
    path: '/v1/chat/completions',
    headers: { 'authorization': 'Bearer secret-of-client', 'openai-organization': 'org-secret' },
    body: { messages: [{ role: 'user', content: 'x' }] },
  },
  anthropic: {
    path: '/v1/messages',
    headers: { 'x-api-key': 'secret-of-client', 'anthropic-version': '2023-06-01' },
    body: { max_tokens: 9, messages: [{ role: 'user', content: 'x' }] },
  },
  google: {
    path: '/v1beta/models/MODEL:generateContent',
    headers: { 'x-goog-api-key': 'secret-of-client', 'x-goog-user-project': 'secret-project' },
    body: { contents: [{ role: 'user', parts: [{ text: 'x' }] }] },
  },
} as const

const ask = (gateway: SocketGateway, client: keyof typeof clients, model: string) => {
  const { path, headers, body } = clients[client]
  return rawRequest(gateway.url, {
    method: 'POST',
    path: path.replace('MODEL', model),
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(client === 'google' ? body : { model, ...body }),
  })
}

const open = (more: { settings?: Settings; config?: GatewayConfigInput; answer?: Answering } = {}) =>
  socketGateway({ providers, ...more, settings: keyless(more.settings) })

describe("a client's key", () => {
  it('goes to the vendor whose dialect the client speaks', async () => {
    const gateway = await open()
    for (const [client, model] of [
      ['openai', 'openai/gpt-5.1'],
      ['anthropic', 'anthropic/claude-sonnet-4-6'],
      ['google', 'google/gemini-2.5-pro'],
    ] as const) {
      await ask(gateway, client, model)
      const { provider, headers } = gateway.arrived.at(-1)!
      expect([provider, JSON.stringify(headers).includes('secret')]).toEqual([client, true])
    }
  })

  it.each<[keyof typeof clients, string, string, GatewayConfigInput?]>([
    ['openai', 'anthropic/claude-sonnet-4-6', 'anthropic'],
    ['openai', 'google/gemini-2.5-pro', 'google'],
    ['openai', 'mine/llama', 'mine'],
    ['openai', 'fast', 'mine', { aliases: { fast: 'mine/llama' } }],
    ['openai', 'claude-sonnet-4-6', 'mine'],
    ['anthropic', 'openai/gpt-4o', 'openai'],
    ['anthropic', 'mine/llama', 'mine'],
    ['google', 'openai/gpt-4o', 'openai'],
  ])('does not go to another: a client of %s asks for %s', async (client, model, provider, config = {}) => {
    const gateway = await open({ config })
    await ask(gateway, client, model)
    expect(gateway.arrived.map((each) => each.provider)).toEqual([provider])
    expect(JSON.stringify(gateway.arrived[0]!.headers)).not.toContain('secret')
  })

  it('does not go to a stand-in, whatever that says of keys', async () => {
    const sent: string[] = []
    const busy: Answering = (request, response) => {
      sent.push(JSON.stringify(request.headers))
      response.writeHead(503, { 'content-type': 'application/json' }).end('{"error":{"message":"busy"}}')
    }
    for (const credentials of [undefined, 'of-clients'] as const) {
      sent.length = 0
      const config = { fallbacks: { 'gpt-5.1': ['mine/llama', 'openai/gpt-5-mini'], 'mine/llama': ['openai/gpt-5.1'] } }
      const gateway = await open({ config, settings: { mine: { credentials } }, answer: busy })
      await ask(gateway, 'openai', 'openai/gpt-5.1')
      expect(sent.map((headers) => headers.includes('secret'))).toEqual([true, false, true])
      sent.length = 0
      await ask(gateway, 'openai', 'mine/llama')
      expect(sent.map((headers) => headers.includes('secret'))).toEqual([credentials !== undefined, false])
    }
  })

  it('goes to a server that the operator says clients have keys for, in its own form', async () => {
    const gateway = await open({
      settings: { anthropic: { credentials: 'of-clients' }, mine: { credentials: 'of-clients' } },
    })
    await ask(gateway, 'openai', 'anthropic/claude-sonnet-4-6')
    await ask(gateway, 'anthropic', 'mine/llama')
    expect(gateway.arrived.map(({ headers }) => headers['x-api-key'] ?? headers.authorization)).toEqual([
      'secret-of-client',
      'Bearer secret-of-client',
    ])
  })

  it("is no reason to tell the operator's provider of the client's account", async () => {
    const gateway = await socketGateway()
    await ask(gateway, 'openai', 'gpt-5.1')
    expect(JSON.stringify(gateway.arrived[0]!.headers)).not.toContain('secret')
  })
})

describe('an upstream without a key', () => {
  const wanted = { dialect: 'openai-chat', model: 'm', crosses: true }
  const refusal = (config: GatewayConfigInput, name: string): string => {
    try {
      return `goes to ${providerUpstreams(parseConfig(config)).for({ ...wanted, name }).upstream.name}`
    } catch (error) {
      return isPrehendError(error) ? `${error.code}: ${error.message}` : String(error)
    }
  }

  it.each([
    ['anthropic', 'ANTHROPIC_API_KEY'],
    ['groq', 'upstreams.groq.apiKey'],
    ['openrouter', 'upstreams.openrouter.credentials "of-clients"'],
  ])('is not asked with the key of another vendor, and the error says what to set: %s', (name, said) => {
    const error = refusal({ upstreams: { [name]: {} } }, name)
    expect(error).toMatch(/^not-configured: /)
    expect(error).toContain(said)
    expect(refusal({ upstreams: { [name]: { credentials: 'of-clients' } } }, name)).toBe(`goes to ${name}`)
  })

  it('is asked without one where it runs here or at an address of its own', () => {
    const upstreams = { ollama: {}, mine: { baseUrl: 'http://10.0.0.1/v1' } }
    for (const name of ['ollama', 'mine']) expect(refusal({ upstreams }, name)).toBe(`goes to ${name}`)
  })

  it('with a key, it does not take those of clients as well', () => {
    const upstreams = { openai: { apiKey: 'k', credentials: 'of-clients' as const } }
    expect(() => parseConfig({ upstreams })).toThrow('upstreams.openai.credentials')
  })
})

const token = 'token-of-acme'
const own = 'secret-of-client'
/** Where the gateway's token stands, and where the client's own key does. */
const pairs: readonly (readonly [client: keyof typeof clients, headers: Record<string, string>, query: string])[] = [
  ['openai', { 'x-api-key': token, 'authorization': `Bearer ${own}` }, ''],
  ['openai', { 'authorization': `Bearer ${token}`, 'x-api-key': own }, ''],
  ['anthropic', { 'x-api-key': token, 'authorization': `Bearer ${own}` }, ''],
  ['anthropic', { 'authorization': `Bearer ${token}`, 'x-api-key': own }, ''],
  ['google', { 'x-api-key': token, 'x-goog-api-key': own }, ''],
  ['google', { authorization: `Bearer ${token}` }, `?key=${own}`],
  ['google', { 'x-goog-api-key': token }, `?alt=sse&key=${own}`],
  ['google', { 'x-goog-api-key': own }, `?key=${token}&alt=sse`],
]
const models = { openai: 'openai/gpt-5.1', anthropic: 'anthropic/claude-sonnet-4-6', google: 'gemini-2.5-pro' }

describe('beside a token of the gateway', () => {
  const asked = async (gateway: SocketGateway, index: number) => {
    const [client, keys, query] = pairs[index]!
    const { path, body } = clients[client]
    const model = models[client]
    return rawRequest(gateway.url, {
      method: 'POST',
      path: path.replace('MODEL', model) + query,
      headers: { ...keys, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
      body: JSON.stringify(client === 'google' ? body : { model, ...body }),
    })
  }
  const config = { tokens: [{ token, tenant: 'acme' }] }
  const all = pairs.map((_, index) => index)

  it("a client's own key goes to its vendor, in a form that the vendor reads, and the token to nobody", async () => {
    const gateway = await open({ config })
    for (const index of all) {
      expect((await asked(gateway, index)).status).toBe(200)
      const { headers, path } = gateway.arrived.at(-1)!
      const { authorization = '', 'x-api-key': plain, 'x-goog-api-key': google } = headers
      expect([plain, google, authorization.replace('Bearer ', '')].filter((key) => key === own)).toHaveLength(1)
      if (pairs[index]![0] === 'openai') expect(authorization).toBe(`Bearer ${own}`)
      expect(JSON.stringify([headers, path])).not.toContain(token)
      expect(path).not.toContain('key=')
    }
    expect(JSON.stringify(gateway.log)).not.toMatch(/token-of-acme|secret-of-client/)
  })

  it("no key of a client goes to a provider that has the operator's", async () => {
    const keys = Object.fromEntries(providers.map((name) => [name, { apiKey: `key of ${name}` }]))
    const gateway = await open({ config, settings: keys })
    for (const index of all) {
      expect((await asked(gateway, index)).status).toBe(200)
      const { headers, path, provider } = gateway.arrived.at(-1)!
      expect(JSON.stringify([headers, path])).not.toMatch(/token-of-acme|secret-of-client/)
      expect(JSON.stringify(headers)).toContain(`key of ${provider}`)
    }
  })

  it('a token in the query of Gemini’s dialect is a token, and the only one is spent', async () => {
    const gateway = await open({ config })
    const { path, body } = clients.google
    const askWith = (key: string) =>
      rawRequest(gateway.url, {
        method: 'POST',
        path: `${path.replace('MODEL', 'gemini-2.5-pro')}?key=${key}`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    expect((await askWith(token)).status).toBe(200)
    expect((await askWith('token-of-nobody')).status).toBe(401)
    expect(gateway.arrived).toHaveLength(1)
    expect(JSON.stringify([gateway.arrived, gateway.log])).not.toContain('token-of')
  })
})

it('a key in the query goes to Google in its header, where nobody asks for a token', async () => {
  const gateway = await open()
  const { path, body } = clients.google
  await rawRequest(gateway.url, {
    method: 'POST',
    path: `${path.replace('MODEL', 'google/gemini-2.5-pro')}?key=secret%2Dof-client`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const [{ path: sent, headers }] = gateway.arrived as [(typeof gateway.arrived)[0]]
  expect([sent.includes('key='), headers['x-goog-api-key']]).toEqual([false, own])
  expect(JSON.stringify(gateway.log)).not.toContain('secret')
})
