import { afterEach, describe, expect, it } from 'vitest'
import { openaiFixture, post } from './test-gateway.fixture.ts'
import { sha256 } from '../../host/index.ts'
import { memoryStore } from '../../stores/index.ts'
import {
  closeMeaningGateways,
  counted,
  embeddings,
  meaningGateway,
  meaningTools,
  until,
} from './embedding-server.fixture.ts'
import type { MeaningGateway, MeaningGatewayOptions } from './embedding-server.fixture.ts'
import type { SimulatedRequest } from '../../providers/index.ts'
import { differences, hashesOf, receiptsOf } from './proven.fixture.ts'

afterEach(closeMeaningGateways)

const policies = (['sticky', 'meta'] as const).map((selection) => {
  return { extends: 'careful', id: selection, version: '1.0.0', tools: { selection, deferred: false } }
})
const config = { policy: 'sticky', policies }
const opened = ({ config: more, ...options }: MeaningGatewayOptions = {}) =>
  meaningGateway({ ...options, config: { ...config, ...more } })

const functions = (tools = meaningTools) =>
  tools.map(({ schema, ...tool }) => ({ type: 'function', function: { ...tool, parameters: schema } }))
const question = 'Do I want an umbrella?'
const named = 'mcp__sky__outlook'

/** Begins a conversation. */
async function ask(
  gateway: MeaningGateway,
  session: string,
  { text = question, tools = meaningTools, more = {} } = {},
) {
  const body = { model: 'gpt-5.1', messages: [{ role: 'user', content: text }], tools: functions(tools), ...more }
  const response = await post(gateway, openaiFixture, body, { 'x-session-id': session })
  const answer = await response.text()
  expect([response.status, answer]).toEqual([200, expect.stringContaining('Done.')])
}

const definedIn = ({ body }: SimulatedRequest): readonly string[] =>
  (JSON.parse(body) as { tools: { function: { name: string } }[] }).tools.map(({ function: { name } }) => name)
const lastOf = ({ provider }: MeaningGateway): SimulatedRequest => provider.requests.at(-1)!

/** Has vectors made of all tools. */
async function warmed(gateway: MeaningGateway): Promise<void> {
  await ask(gateway, 'first')
  await until(() => gateway.embedder.asked.flatMap(({ texts }) => texts).length >= meaningTools.length)
  await until(async () => (await counted(gateway, 'tool made')) === 30)
}

describe('G-025: the latest message of the user finds tools by what they mean', () => {
  it('with sticky, once their vectors are made; the first request is answered by words, and waits for nothing', async () => {
    const gateway = await opened()
    await ask(gateway, 'first')
    expect(definedIn(lastOf(gateway))).not.toContain(named)
    await warmed(gateway)
    await ask(gateway, 'second')
    expect(definedIn(lastOf(gateway))).toContain(named)
    expect(definedIn(lastOf(gateway))).not.toContain('mcp__post__trace')
    await ask(gateway, 'third', { text: 'Is my parcel on its way?' })
    expect(definedIn(lastOf(gateway))).toContain('mcp__post__trace')
    const texts = gateway.embedder.asked.flatMap((one) => one.texts)
    expect(texts.filter((text) => text.includes('outlook'))).toEqual([
      'mcp sky outlook. Tells drizzle and rainfall of a place.',
    ])
    expect(gateway.embedder.asked.map(({ path, key }) => [path, key])).toContainEqual([
      '/v1/embeddings',
      'Bearer sk-of-all',
    ])
    expect(await gateway.metrics()).toMatch(/prehend_embedding_tokens_total\{upstream="local",model="tiny"\} \d+/)
  })

  it('with search_tools', async () => {
    const call = { type: 'tool-call' as const, name: 'search_tools', arguments: { query: 'umbrella' } }
    const script = ({ body }: SimulatedRequest) =>
      body.includes('search for it') && !body.includes('"tool_call_id"') ? { parts: [call] } : 'Done.'
    const plain = await opened({ script, config: { policy: 'meta' }, embeddings: false })
    await ask(plain, 'words', { text: 'search for it' })
    expect(lastOf(plain).body).toContain('None of the 30 tools is about')
    const gateway = await opened({ script, config: { policy: 'meta' } })
    await ask(gateway, 'first')
    await until(async () => (await counted(gateway, 'tool made')) === 30)
    await ask(gateway, 'meaning', { text: 'search for it' })
    expect(lastOf(gateway).body).toContain(
      `the best first. Call one by execute_tool; get_tool_schema tells its whole schema.\\n- ${named}(of?: string)`,
    )
  })

  it('and without an embedder nothing is embedded, and the same bytes go out as before', async () => {
    const [plain, meaning] = [await opened({ embeddings: false }), await opened()]
    for (const gateway of [plain, meaning])
      for (const session of ['one', 'two']) await ask(gateway, session, { text: 'Handle task 7 of the desk.' })
    expect(plain.embedder.asked).toEqual([])
    expect(plain.provider.requests[0]!.body).toBe(meaning.provider.requests[0]!.body)
    expect(await plain.metrics()).not.toContain('prehend_embeddings_total{')
  })

  it('A-006: what was chosen by vectors stands in the receipt, which proves every byte without them', async () => {
    const gateway = await opened()
    await warmed(gateway)
    await ask(gateway, 'second')
    gateway.embedder.answers = embeddings['no JSON']
    const receipts = await receiptsOf({ store: gateway.store } as Parameters<typeof receiptsOf>[0])
    expect(receipts).toHaveLength(2)
    for (const receipt of receipts) expect(differences(receipt)).toEqual([])
    const sent = gateway.provider.requests.map(({ body }) => sha256(body))
    expect(receipts.flatMap(hashesOf)).toEqual(sent)
    expect(receipts[1]!.request?.overlay).toMatchObject([{ kind: 'tools', listed: expect.arrayContaining([named]) }])
  })
})

describe('vectors of tools', () => {
  it('are made once, also for the next process on the store; a tool that changes is embedded anew', async () => {
    const store = memoryStore()
    const first = await opened({ store })
    await warmed(first)
    await first.close()
    const second = await opened({ store, embedder: first.embedder })
    const before = first.embedder.asked.length
    await ask(second, 'second')
    await until(async () => (await counted(second, 'tool kept')) === 30)
    expect(first.embedder.asked).toHaveLength(before)
    const tools = meaningTools.map((tool) =>
      tool.name === named ? { ...tool, description: 'Tells the receivable.' } : tool,
    )
    await ask(second, 'third', { tools })
    await until(() => first.embedder.asked.length === before + 1)
    expect(first.embedder.asked.at(-1)!.texts).toEqual(['mcp sky outlook. Tells the receivable.'])
    await until(async () => (await counted(second, 'tool made')) === 1)
    await ask(second, 'fourth', { tools, text: 'Send the invoice.' })
    expect(definedIn(lastOf(second))).toContain(named)
  })

  it('are kept in no store where requests are not', async () => {
    const store = memoryStore()
    const first = await opened({ store, config: { record: 'receipts' } })
    await warmed(first)
    await first.close()
    const second = await opened({ store, embedder: first.embedder, config: { record: 'receipts' } })
    await ask(second, 'second')
    await until(async () => (await counted(second, 'tool made')) === 30)
    expect(await counted(second, 'tool kept')).toBe(0)
  })

  it('are made anew where the model of the same name gives others', async () => {
    const gateway = await opened()
    await warmed(gateway)
    gateway.embedder.answers = (texts, response) =>
      void response.end(
        JSON.stringify({
          data: texts.map((text, index) => ({
            index,
            embedding: text.includes('umbrella') || text.includes('drizzle') ? [1, 0, 0] : [0, 1, 0],
          })),
        }),
      )
    await ask(gateway, 'second')
    await ask(gateway, 'third')
    await until(async () => (await counted(gateway, 'tool made')) === 60)
    await ask(gateway, 'fourth')
    expect(definedIn(lastOf(gateway))).toContain(named)
  })

  it('of each tenant are its own, and are asked for with its own key, where it may use the upstream at all', async () => {
    const tenants = ['acme', 'rival', 'inland']
    const gateway = await opened({
      config: {
        tokens: tenants.map((tenant) => ({ tenant, token: `token-of-${tenant}` })),
        tenants: {
          rival: { upstreams: { local: { apiKey: 'sk-of-rival' } } },
          inland: { allowedUpstreams: ['openai'] },
        },
      },
    })
    const asTenant = async (tenant: string) => {
      const body = { model: 'gpt-5.1', messages: [{ role: 'user', content: question }], tools: functions() }
      const headers = { authorization: `Bearer token-of-${tenant}` }
      const response = await post(gateway, { ...openaiFixture, headers }, body)
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('Done.')])
    }
    for (const tenant of tenants) await asTenant(tenant)
    await until(() => gateway.embedder.asked.flatMap(({ texts }) => texts).length === 60)
    const keys = gateway.embedder.asked.map(({ key }) => key)
    expect(new Set(keys)).toEqual(new Set(['Bearer sk-of-all', 'Bearer sk-of-rival']))
  })
})
