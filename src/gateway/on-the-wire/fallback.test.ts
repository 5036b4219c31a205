import { afterEach, describe, expect, it } from 'vitest'
import { PrehendError } from '../../core/index.ts'
import { fetchUpstream, simulatedProvider } from '../../providers/index.ts'
import type { Fault, ScriptEntry } from '../../providers/index.ts'
import { anthropicFixture, closeTestGateways, post, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const overloaded: Fault = { kind: 'error', status: 529, message: 'Overloaded.', retryAfterSeconds: 3 }
const config = { fallbacks: { 'claude-sonnet-4-6': ['claude-opus-4-6', 'gpt-5.1'] } }

/** A provider of Claude's models, and one of GPT's that speaks the other dialect alone. */
async function twoProviders(script: (model: string) => ScriptEntry | undefined, forGpt?: PrehendError) {
  const asked: string[] = []
  const provider = simulatedProvider({
    script: ({ json }) => {
      const model = String(json?.['model'])
      asked.push(model)
      return script(model)
    },
  })
  const upstream = fetchUpstream({ name: 'simulated', origin: 'http://simulated', fetch: provider.fetch })
  const dialectOf = (model: string): string => (model.startsWith('gpt') ? 'openai-chat' : 'anthropic-messages')
  const gateway = await testGateway({
    config,
    provider,
    upstreams: {
      named: (model) => ({ model }),
      for: ({ model }) => {
        if (forGpt && model.startsWith('gpt')) throw forGpt
        return { upstream, dialect: dialectOf(model), passCredentials: true }
      },
      close: async () => undefined,
    },
  })
  return { gateway, asked }
}

async function answer(gateway: TestGateway, stream: boolean) {
  const response = await post(gateway, anthropicFixture, anthropicFixture.body(3, { stream }))
  const receipts = await gateway.store.read('receipts').list('default', { limit: 9 })
  return {
    status: response.status,
    fallback: response.headers.get('x-prehend-fallback'),
    crossed: response.headers.get('x-prehend-crossed'),
    retryAfter: response.headers.get('retry-after'),
    text: await response.text(),
    receipts: receipts.map(({ model, result }) => [model, result?.status]),
  }
}

describe.each([true, false])('a model that cannot answer (stream: %s)', (stream) => {
  it('is stood in for by the next, for which the request is packed anew', async () => {
    const { gateway, asked } = await twoProviders((model) =>
      model.includes('sonnet') ? { fault: overloaded } : 'I can',
    )
    const { text, receipts, ...told } = await answer(gateway, stream)
    expect(told).toEqual({ status: 200, fallback: 'claude-opus-4-6', crossed: null, retryAfter: null })
    expect(text).toContain('can')
    expect(asked).toEqual(['claude-sonnet-4-6', 'claude-opus-4-6'])
    expect(receipts).toEqual([
      ['claude-opus-4-6', 200],
      ['claude-sonnet-4-6', 529],
    ])
    expect(gateway.log).toContainEqual({
      level: 'warn',
      event: 'fallback',
      fields: expect.objectContaining({ from: 'claude-sonnet-4-6', to: 'claude-opus-4-6', status: 529 }),
    })
  })

  it('in another dialect where need be', async () => {
    const { gateway, asked } = await twoProviders((model) =>
      model.includes('claude') ? { fault: overloaded } : 'I can',
    )
    const { status, fallback, crossed, text } = await answer(gateway, stream)
    expect([status, fallback, crossed]).toEqual([200, 'gpt-5.1', 'openai-chat'])
    expect(text).toContain(stream ? 'event: message_stop' : '"stop_reason":"end_turn"')
    expect(asked).toHaveLength(3)
  })

  it('and for which nobody can stand in: what it said itself is the answer', async () => {
    const { gateway, asked } = await twoProviders((model) =>
      model.includes('sonnet') ? { fault: overloaded } : { fault: { ...overloaded, status: 500, message: 'Broken.' } },
    )
    const { status, text, retryAfter, receipts } = await answer(gateway, stream)
    expect([status, retryAfter]).toEqual([529, '3'])
    expect(text).toContain('Overloaded.')
    expect(asked).toHaveLength(3)
    expect(receipts.map(([, end]) => end)).toEqual([500, 500, 529])
  })

  it('is asked again first the next time', async () => {
    let isDown = true
    const { gateway, asked } = await twoProviders((model) =>
      isDown && model.includes('sonnet') ? { fault: overloaded } : 'ok',
    )
    await answer(gateway, stream)
    isDown = false
    expect((await answer(gateway, stream)).fallback).toBeNull()
    expect(asked).toEqual(['claude-sonnet-4-6', 'claude-opus-4-6', 'claude-sonnet-4-6'])
  })
})

it('a request that is at fault itself is nobody else’s', async () => {
  const fault: Fault = { kind: 'error', status: 400, message: 'No.' }
  const { gateway, asked } = await twoProviders(() => ({ fault }))
  expect((await answer(gateway, false)).status).toBe(400)
  expect(asked).toHaveLength(1)
})

it('a connection that breaks before any answer leads to the next as well', async () => {
  const fault: Fault = { kind: 'connection-death' }
  const { gateway } = await twoProviders((model) => (model.includes('sonnet') ? { fault } : 'I can'))
  expect(await answer(gateway, false)).toMatchObject({ status: 200, fallback: 'claude-opus-4-6' })
})

it('one that stands in and is not configured is passed over', async () => {
  const none = new PrehendError('not-configured', 'No such provider.', { provider: 'openai', remedy: 'Set its key.' })
  const { gateway, asked } = await twoProviders(() => ({ fault: overloaded }), none)
  expect(await answer(gateway, false)).toMatchObject({ status: 529, fallback: null })
  expect(asked).toEqual(['claude-sonnet-4-6', 'claude-opus-4-6'])
})
