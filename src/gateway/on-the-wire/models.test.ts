import { afterEach, describe, expect, it } from 'vitest'
import type { Manifest } from '../../core/index.ts'
import type { GatewayConfigInput } from '../index.ts'
import { anthropicFixture, closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'
import type { Body, DialectFixture, TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

/** What the gateway counted, and what the provider reported. */
async function sent(gateway: TestGateway, dialect: DialectFixture, body: Body) {
  const response = await post(gateway, dialect, body)
  expect(response.status).toBe(200)
  await response.arrayBuffer()
  const [summary] = await gateway.store.read('receipts').list('default', { limit: 1 })
  const receipt = await gateway.store.read('receipts').get('default', summary!.requestId)
  return { manifest: receipt!.manifest, input: receipt!.input, usage: receipt!.result!.usage! }
}

const counted = ({ packTokens, overheadTokens }: Manifest): number => packTokens + overheadTokens

describe('a model of one’s own', () => {
  const models: GatewayConfigInput['models'] = {
    'my-llama': {
      family: 'openai',
      windowTokens: 20_000,
      encoding: 'cl100k_base',
      countFactor: 1.2,
      prices: { input: 2, output: 4, cacheRead: 1 },
    },
    'my-claude': { family: 'anthropic', cache: { minTokens: 64 } },
  }

  it('has the window, the prices and the tokenizer that the configuration names', async () => {
    const gateway = await testGateway({ config: { models }, script: () => 'done' })
    const { manifest, input, usage } = await sent(gateway, openaiFixture, openaiFixture.body(1, { model: 'my-llama' }))
    expect(manifest.windowTokens).toBeLessThanOrEqual(20_000)
    expect(manifest.windowTokens).toBeGreaterThan(15_000)
    expect(manifest.tokenizerId).toBe('cl100k_base*1.2/openai/patches')
    expect(input?.prices?.read).toBe(0.5)
    expect(Math.abs(counted(manifest) / usage.inputTokens - 1)).toBeLessThan(0.01)
  })

  it('is known by its family in log and metrics', async () => {
    const gateway = await testGateway({ config: { models }, script: () => 'done' })
    await sent(gateway, openaiFixture, openaiFixture.body(1, { model: 'my-llama' }))
    expect(gateway.log.find(({ event }) => event === 'request')?.fields).toMatchObject({ family: 'openai' })
    expect(await (await fetch(`${gateway.url}/metrics`)).text()).toMatch(/prehend_tokens_total\{[^}]*family="openai"/)
  })

  it('has its prompt marked for the cache where its family wants that', async () => {
    const gateway = await testGateway({ config: { models }, script: () => 'done' })
    await sent(gateway, anthropicFixture, anthropicFixture.body(2, { model: 'my-claude' }))
    expect(gateway.provider.requests[0]!.body).toContain('cache_control')
  })
})

it('everything can be counted without a vocabulary', async () => {
  const gateway = await testGateway({ config: { tokenizer: 'heuristic' }, script: () => 'done' })
  const { manifest, usage } = await sent(gateway, openaiFixture, openaiFixture.body(3))
  expect(manifest.tokenizerId).toMatch(/^heuristic\//)
  expect(Math.abs(counted(manifest) / usage.inputTokens - 1)).toBeLessThan(0.01)
})

describe.each([openaiFixture, anthropicFixture])('what is counted is what is billed: $name', (dialect) => {
  const properties = Object.fromEntries(
    Array.from({ length: 8 }, (_, index) => [
      `field_${index}`,
      { type: 'string', description: `What field ${index} is.` },
    ]),
  )
  const tools = Array.from({ length: 30 }, (_, index) => {
    const about = { name: `tool_${index}`, description: `Does thing number ${index}, and nothing else.` }
    const schema = { type: 'object', properties }
    return dialect.name === 'openai-chat'
      ? { type: 'function', function: { ...about, parameters: schema } }
      : { ...about, input_schema: schema }
  })

  it('with many calls and many tools, before anything was learnt', async () => {
    const gateway = await testGateway({ script: () => 'done' })
    const read = dialect.body(1)['tools'] as unknown[]
    const { manifest, usage } = await sent(gateway, dialect, dialect.body(40, { tools: [...read, ...tools] }))
    expect(Math.abs(counted(manifest) / usage.inputTokens - 1)).toBeLessThan(0.005)
  })

  it('with a picture in it', async () => {
    const gateway = await testGateway({ script: () => 'done' })
    const bare = await sent(gateway, dialect, dialect.body(1))
    const picture =
      dialect.name === 'openai-chat'
        ? { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }
        : { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }
    const body = dialect.body(1)
    const messages = [...body.messages, { role: 'assistant', content: 'Yes?' }, { role: 'user', content: [picture] }]
    const { manifest } = await sent(gateway, dialect, { ...body, messages })
    expect(manifest.packTokens - bare.manifest.packTokens).toBeGreaterThan(500)
  })
})
