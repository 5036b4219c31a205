import { afterEach, describe, expect, it } from 'vitest'
import { simulatedProvider } from '../../providers/index.ts'
import {
  closeMeaningGateways,
  counted,
  embeddingServer,
  embeddings,
  meaningGateway,
  until,
} from './embedding-server.fixture.ts'
import type { MeaningGateway, MeaningGatewayOptions } from './embedding-server.fixture.ts'
import { meaningTools } from './embedding-server.fixture.ts'
import { openaiFixture, post } from './test-gateway.fixture.ts'
import { closeThreadedGateways, startedThread, threadedGateway } from './threads.fixture.ts'
import { removeFolders, toolFile } from './tool-registry.fixture.ts'

afterEach(closeThreadedGateways)
afterEach(closeMeaningGateways)
afterEach(removeFolders)

const tokens = ['acme', 'rival'].map((tenant) => {
  return { tenant, token: `token-of-${tenant}`, scopes: ['read' as const, 'admin' as const] }
})
const opened = ({ config, ...options }: MeaningGatewayOptions = {}) =>
  meaningGateway({ ...options, config: { tokens, ...config } })

interface Shown {
  readonly embedding?: object
  readonly data: readonly { readonly id: string }[]
}

interface Asking {
  readonly tenant?: string
  readonly body?: object
}

async function tools(
  { url }: MeaningGateway,
  method: string,
  path: string,
  { tenant = 'acme', body }: Asking = {},
): Promise<Shown> {
  const response = await fetch(`${url}/v1/tools${path}`, {
    method,
    headers: { 'authorization': `Bearer token-of-${tenant}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  expect(response.status).toBe(200)
  return (await response.json()) as Shown
}

const found = async (gateway: MeaningGateway, query: string) =>
  (await tools(gateway, 'GET', `?q=${encodeURIComponent(query)}`)).data.map(({ id }) => id)

const embedding = { model: 'local/tiny', dimensions: 5 }
const track = { description: 'Traces a shipment.', inputSchema: { type: 'object' } }

describe('G-024: a tool of the registry', () => {
  it('is embedded when it is registered, says so, and is found by what it means', async () => {
    const gateway = await opened()
    expect((await tools(gateway, 'PUT', '/own::track', { body: track })).embedding).toEqual(embedding)
    expect((await tools(gateway, 'GET', '/own::track')).embedding).toEqual(embedding)
    expect(await found(gateway, 'courier')).toEqual(['own::track'])
    const texts = gateway.embedder.asked.map((one) => one.texts)
    expect(texts).toEqual([['track. Traces a shipment.'], ['courier']])
  })

  it('is found by words where nothing makes vectors, and has no embedding', async () => {
    const gateway = await opened({ embeddings: false })
    expect((await tools(gateway, 'PUT', '/own::track', { body: track })).embedding).toBeUndefined()
    expect(await found(gateway, 'courier')).toEqual([])
    expect(await found(gateway, 'shipment')).toEqual(['own::track'])
  })

  it('that changes is embedded anew, and that of a source for each tenant', async () => {
    const file = toolFile([{ name: 'outlook', description: 'Tells drizzle.', inputSchema: { type: 'object' } }])
    const gateway = await opened({ config: { tools: { sources: { sky: { file } } } } })
    for (const tenant of ['acme', 'rival'])
      expect((await tools(gateway, 'GET', '/sky::outlook', { tenant })).embedding).toEqual(embedding)
    await tools(gateway, 'PUT', '/own::track', { body: track })
    await tools(gateway, 'PUT', '/own::track', { body: { ...track, description: 'Tells what is receivable.' } })
    expect(gateway.embedder.asked.flatMap((one) => one.texts)).toEqual([
      'outlook. Tells drizzle.',
      'outlook. Tells drizzle.',
      'track. Traces a shipment.',
      'track. Tells what is receivable.',
    ])
    expect((await found(gateway, 'billing'))[0]).toBe('own::track')
    expect((await found(gateway, 'umbrella'))[0]).toBe('sky::outlook')
  })

  it('is put all the same where its vector cannot be made, or has another length than the configuration says', async () => {
    const embedder = await embeddingServer(embeddings['no key'])
    const gateway = await opened({ embedder })
    expect((await tools(gateway, 'PUT', '/own::track', { body: track })).embedding).toBeUndefined()
    expect(await found(gateway, 'shipment')).toEqual(['own::track'])
    const other = await opened({ embeddings: { dimensions: 8 } })
    expect((await tools(other, 'PUT', '/own::track', { body: track })).embedding).toBeUndefined()
    expect(other.embedder.asked[0]!.body).toMatchObject({ model: 'tiny', dimensions: 8 })
    expect(other.log.filter(({ event }) => event === 'embeddings-failed')).toHaveLength(1)
  })
})

it('G-025: threads that carry requests find tools by what they mean', async () => {
  const embedder = await embeddingServer()
  const provider = simulatedProvider({ script: () => 'Done.', strict: false })
  const server = await provider.listen()
  const policies = [{ extends: 'careful', id: 'sticky', version: '1.0.0', tools: { selection: 'sticky' as const } }]
  const gateway = await threadedGateway(server.url, {
    policy: 'sticky',
    policies,
    upstreams: {
      openai: { baseUrl: `${server.url}/v1`, apiKey: 'key' },
      local: { baseUrl: embedder.url, apiKey: 'sk-of-all', models: ['tiny'] },
    },
    embeddings: { upstream: 'local', model: 'tiny', waitMs: 2_000 },
  })
  await startedThread(gateway)
  const functions = meaningTools.map(({ schema, ...tool }) => ({
    type: 'function',
    function: { ...tool, parameters: schema },
  }))
  const ask = async (session: string) => {
    const before = gateway.carried()
    const messages = [{ role: 'user', content: 'Do I want an umbrella?' }]
    const body = { model: 'gpt-5.1', messages, tools: functions }
    const response = await post(gateway, openaiFixture, body, { 'x-session-id': session })
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('Done.')])
    await until(() => gateway.carried() > before)
  }
  const metrics = async (): Promise<string> => (await fetch(`${gateway.url}/metrics`)).text()
  await ask('first')
  await until(async () => (await counted({ metrics }, 'tool made')) === 30)
  await ask('second')
  expect(provider.requests.at(-1)!.body).toContain('"mcp__sky__outlook"')
  expect(embedder.asked.at(-1)!.texts).toEqual(['Do I want an umbrella?'])
  await server.close()
})
