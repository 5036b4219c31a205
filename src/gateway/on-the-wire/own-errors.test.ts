import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import { PrehendError } from '../../core/index.ts'
import type { Upstream } from '../../providers/index.ts'
import type { GatewayConfigInput } from '../index.ts'
import { anthropicFixture, closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'
import type { DialectFixture, TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const failing = (error: Error): Upstream => ({
  name: 'failing',
  send: async () => {
    throw error
  },
  close: async () => undefined,
})
const remedy = 'Try again.'

interface OwnError {
  readonly name: string
  readonly status: number
  readonly openai: new (...args: never[]) => Error
  readonly anthropic: new (...args: never[]) => Error
  readonly config?: GatewayConfigInput
  readonly upstream?: Upstream
  readonly more?: Record<string, unknown>
  readonly path?: string
}

const ownErrors: readonly OwnError[] = [
  {
    name: 'a token that is not known',
    status: 401,
    openai: OpenAI.AuthenticationError,
    anthropic: Anthropic.AuthenticationError,
    config: { tokens: [{ token: 'token-of-acme', tenant: 'acme' }] },
  },
  {
    name: 'a wrong setting of ours',
    status: 400,
    openai: OpenAI.BadRequestError,
    anthropic: Anthropic.BadRequestError,
    more: { prehend: { mode: 'sometimes' } },
  },
  {
    name: 'a route that there is not',
    status: 404,
    openai: OpenAI.NotFoundError,
    anthropic: Anthropic.NotFoundError,
    path: '/nowhere',
  },
  {
    name: 'a body that is too large',
    status: 413,
    openai: OpenAI.APIError,
    anthropic: Anthropic.APIError,
    config: { limits: { bodyBytes: 1024 } },
    more: { metadata: { filler: 'x'.repeat(2000) } },
  },
  {
    name: 'a request that fits no window',
    status: 400,
    openai: OpenAI.BadRequestError,
    anthropic: Anthropic.BadRequestError,
    config: { models: { small: { windowTokens: 200 } }, policy: 'quality-first' },
    more: { model: 'small' },
  },
  {
    name: 'a provider that breaks off',
    status: 502,
    openai: OpenAI.InternalServerError,
    anthropic: Anthropic.InternalServerError,
    upstream: failing(new PrehendError('upstream-broken', 'It broke.', { remedy })),
  },
  {
    name: 'a provider that is late',
    status: 504,
    openai: OpenAI.InternalServerError,
    anthropic: Anthropic.InternalServerError,
    upstream: failing(new PrehendError('upstream-timeout', 'It is late.', { phase: 'idle', remedy })),
  },
  {
    name: 'something that nobody foresaw',
    status: 500,
    openai: OpenAI.InternalServerError,
    anthropic: Anthropic.InternalServerError,
    upstream: failing(new Error('odd')),
  },
]

const openaiClient = ({ url }: TestGateway): OpenAI =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey: 'key', maxRetries: 0 })
const anthropicClient = ({ url }: TestGateway): Anthropic =>
  new Anthropic({ baseURL: url, apiKey: 'key', maxRetries: 0 })

async function thrownBy(asked: Promise<unknown>): Promise<unknown> {
  return asked.then(
    () => undefined,
    (error: unknown) => error,
  )
}

function opened({ config, upstream }: OwnError): Promise<TestGateway> {
  return testGateway({ ...(config && { config }), ...(upstream && { upstream }) })
}

describe.each(ownErrors)("an error of our own is one of the client's library: $name", (own) => {
  const { status, more = {}, path } = own

  it('OpenAI: with message, type, param and code, and the id of the request', async () => {
    const gateway = await opened(own)
    const body = openaiFixture.body(1, more)
    const error = await thrownBy(openaiClient(gateway).post(path ?? '/chat/completions', { body }))
    expect(error).toBeInstanceOf(own.openai)
    expect(error).toMatchObject({ status, requestID: expect.stringMatching(/^req_/) as string })
    const { error: said } = error as { error: Record<string, unknown> }
    expect(Object.keys(said).toSorted()).toEqual(['code', 'message', 'param', 'type'])
    expect([said['message'], said['type']].every((text) => typeof text === 'string' && text !== '')).toBe(true)
  })

  it('Anthropic: with type and message, and the id of the request in body and header', async () => {
    const gateway = await opened(own)
    const body = anthropicFixture.body(1, more)
    const at = path === undefined ? '/v1/messages' : `/v1/messages${path}`
    const error = await thrownBy(anthropicClient(gateway).post(at, { body }))
    expect(error).toBeInstanceOf(own.anthropic)
    const { requestID } = error as { requestID: unknown }
    expect(requestID).toMatch(/^req_/)
    expect(error).toMatchObject({
      status,
      error: { type: 'error', error: { type: expect.any(String) as string }, request_id: requestID },
      apiMessage: expect.any(String) as string,
    })
  })
})

describe.each([openaiFixture, anthropicFixture])(
  "the provider's name of a request: $name",
  (dialect: DialectFixture) => {
    const header = dialect.name === 'openai-chat' ? 'x-request-id' : 'request-id'
    const answer = (headers: Record<string, string>): Upstream => ({
      name: 'naming',
      send: async () => {
        const body = (async function* () {
          yield Buffer.from('{}')
        })()
        return { status: 200, headers: { 'content-type': 'application/json', ...headers }, body }
      },
      close: async () => undefined,
    })

    it('is what a success carries, ours is beside it', async () => {
      const gateway = await testGateway({ upstream: answer({ [header]: 'req_of_the_provider' }) })
      const { headers } = await post(gateway, dialect, dialect.body(1))
      expect(headers.get(header)).toBe('req_of_the_provider')
      expect(headers.get('x-prehend-request-id')).toMatch(/^req_0/)
    })

    it('is ours where it sends none', async () => {
      const { headers } = await post(await testGateway({ upstream: answer({}) }), dialect, dialect.body(1))
      expect(headers.get(header)).toBe(headers.get('x-prehend-request-id'))
      expect(headers.get('x-request-id')).toBe(headers.get('x-prehend-request-id'))
    })

    it('of a refusal, too', async () => {
      const gateway = await testGateway({ script: [{ fault: { kind: 'error', status: 429 } }] })
      const { headers } = await post(gateway, dialect, dialect.body(1))
      expect(headers.get(header)).toBe(gateway.provider.requests[0]!.id)
    })
  },
)

it('the official libraries know the name of a request that succeeded', async () => {
  const gateway = await testGateway({ script: () => 'fine' })
  const openai = openaiFixture.body(1) as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming
  const anthropic = anthropicFixture.body(1) as unknown as Anthropic.MessageCreateParamsNonStreaming
  const named = [
    await openaiClient(gateway).chat.completions.create(openai).withResponse(),
    await anthropicClient(gateway).messages.create(anthropic).withResponse(),
  ]
  expect(named.map(({ request_id: id }) => id)).toEqual(gateway.provider.requests.map(({ id }) => id))
})
