import { afterEach, describe, expect, it } from 'vitest'
import { closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const bash = {
  type: 'function',
  function: { name: 'bash', description: 'Runs a command.', parameters: { type: 'object', properties: {} } },
}
const step = (id: string, command: string, content: string) => [
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name: 'bash', arguments: JSON.stringify({ command }) } }],
  },
  { role: 'tool', tool_call_id: id, content },
]
const steps = [step('a', 'cat long.txt', 'A long line of text. '.repeat(100)), step('b', 'ls', 'one\ntwo')]

const body = (results: number) => ({
  model: 'gpt-5.1',
  tools: [bash],
  messages: [
    { role: 'system', content: 'You are careful.' },
    { role: 'user', content: '<environment>linux</environment>' },
    { role: 'user', content: 'Find the ferry timetable.' },
    ...steps.slice(0, results).flat(),
  ],
})

async function withTraffic(): Promise<TestGateway> {
  const gateway = await testGateway({ script: () => 'done' })
  for (const results of [0, 1, 2]) {
    await (await post(gateway, openaiFixture, body(results), { 'x-session-id': 'ferries' })).text()
  }
  return gateway
}

interface Usage {
  readonly requests: number
  readonly whole: boolean
  readonly carried: number
  readonly usd: number | null
  readonly groups: readonly { readonly group: string; readonly carried: number; readonly usd: number | null }[]
  readonly items: readonly {
    readonly name: string
    readonly requests: number
    readonly tokens: number
    readonly carried: number
  }[]
}

const asked = async <Answer>({ url }: TestGateway, path: string): Promise<Answer> =>
  (await (await fetch(url + path)).json()) as Answer

describe('where the tokens went', () => {
  it('an item counts once for every request that carried it, and its share of what those cost', async () => {
    const gateway = await withTraffic()
    const usage = await asked<Usage>(gateway, '/v1/usage')
    expect([usage.requests, usage.whole]).toEqual([3, true])
    const [dearest] = usage.items
    expect(dearest).toMatchObject({ name: 'bash: cat long.txt', requests: 2 })
    expect(dearest?.carried).toBe(2 * (dearest?.tokens ?? 0))
    expect(usage.groups.map(({ group }) => group).toSorted()).toEqual([
      'calls',
      'results of bash',
      'system prompt',
      'tool definitions',
      'user',
    ])
    const sum = (values: readonly (number | null)[]): number => values.reduce<number>((all, one) => all + (one ?? 0), 0)
    expect(sum(usage.groups.map(({ carried }) => carried))).toBe(usage.carried)
    const { totals } = await asked<{ totals: { usd: number } }>(gateway, '/v1/stats')
    expect(usage.usd).toBeCloseTo(totals.usd, 10)
    expect(sum(usage.groups.map(({ usd }) => usd))).toBeCloseTo(totals.usd, 10)
    const newest = await asked<Usage>(gateway, '/v1/usage?limit=1&top=1')
    expect([newest.requests, newest.whole, newest.items.length]).toEqual([1, false, 1])
    expect((await asked<Usage>(gateway, '/v1/usage?session=other')).requests).toBe(0)
  })

  it('sessions are known and found by what the user has typed', async () => {
    const gateway = await withTraffic()
    const { data } = await asked<{ data: readonly object[] }>(gateway, '/v1/session-labels')
    const named = { session: 'ferries', words: 'Find the ferry timetable.', model: 'gpt-5.1', client: 'node' }
    const newest = { why: { reason: 'nothing-old' }, simulated: true }
    expect(data).toEqual([{ ...named, ...newest, startedMs: expect.any(Number) as number }])
    expect((await asked<{ data: readonly object[] }>(gateway, '/v1/session-labels?session=none')).data).toEqual([])
    expect((await asked<{ data: readonly object[] }>(gateway, '/v1/session-labels?session=ferries')).data).toEqual(data)
    const found = async (text: string): Promise<readonly { session: string }[]> =>
      (await asked<{ sessions: readonly { session: string }[] }>(gateway, `/v1/search?q=${text}`)).sessions
    expect(await found('TIMETABLE')).toEqual([{ session: 'ferries', usedMs: expect.any(Number) as number }])
    expect(await found('ferr')).toHaveLength(1)
    expect(await found('bicycle')).toEqual([])
  })

  it('sessions are named by the first request that offers tools, where an agent asks for a title before', async () => {
    const gateway = await testGateway({ script: () => 'done' })
    const words = async () =>
      (await asked<{ data: readonly { words: string }[] }>(gateway, '/v1/session-labels')).data.map((one) => one.words)
    const titled = 'Generate a title for this conversation:'
    const title = { model: 'gpt-5-nano', messages: [{ role: 'user', content: titled }] }
    await (await post(gateway, openaiFixture, title, { 'x-session-id': 'ferries' })).text()
    expect(await words()).toEqual([titled])
    await (await post(gateway, openaiFixture, body(0), { 'x-session-id': 'ferries' })).text()
    expect(await words()).toEqual(['Find the ferry timetable.'])
  })

  it('items of a request have names', async () => {
    const gateway = await withTraffic()
    const { data } = await asked<{ data: readonly { requestId: string }[] }>(gateway, '/v1/packs?limit=1')
    const path = `/v1/packs/${data[0]?.requestId}`
    const { items } = await asked<{ items: readonly { itemId: string; name: string }[] }>(gateway, `${path}/view`)
    expect(items.find(({ itemId }) => itemId === 'result:b')?.name).toBe('bash: ls')
    const decisions = await asked<{ data: readonly { itemId: string; name: string }[] }>(gateway, `${path}/decisions`)
    expect(decisions.data.find(({ itemId }) => itemId === 'call:a')?.name).toBe('call of bash: cat long.txt')
  })
})

describe('what the sessions of a tenant saved and lent', () => {
  it('is told by the statistics, and kept by the store', async () => {
    const gateway = await withTraffic()
    interface Told {
      readonly account: Readonly<Record<string, number>> & { readonly models: readonly object[] }
    }
    const { account } = await asked<Told>(gateway, '/v1/stats')
    expect(account.models).toEqual([{ model: 'gpt-5.1', sessions: 1, requests: 3 }])
    expect(account['passThrough']).toBeGreaterThan(500)
    expect(account['credit']).toBeCloseTo(account['saved']! - account['lent']! - account['fetched']!, -1)
    expect(account['share']).toBeCloseTo(1 - account['credit']! / account['passThrough']!, 2)
    const again = await testGateway({ script: () => 'done', store: gateway.store })
    expect((await asked<Told>(again, '/v1/stats')).account).toEqual(account)
  })
})
