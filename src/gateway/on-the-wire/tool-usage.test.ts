import { afterEach, describe, expect, it } from 'vitest'
import { definedTools, toolTraffic } from './tool-traffic.fixture.ts'
import { anthropicFixture, closeTestGateways, post, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

interface Tool {
  readonly name: string
  readonly isOurs: boolean
  readonly defined: number
  readonly wasted: number | null
  readonly called: number | null
  readonly failed: number | null
  readonly tokens: number
  readonly definitionTokens: number
  readonly wastedTokens: number | null
  readonly resultTokens: number | null
  readonly inputUsd: number | null
  readonly usd: number | null
  readonly learnt?: Readonly<Record<string, number>>
}

interface Told {
  readonly requests: number
  readonly whole: boolean
  readonly unread: number
  readonly totals: Readonly<Record<string, number>>
  readonly tools: number
  readonly data: readonly Tool[]
}

async function send(gateway: TestGateway, session = 'work'): Promise<void> {
  for (const body of toolTraffic)
    await (await post(gateway, anthropicFixture, body, { 'x-session-id': session })).text()
}

async function asked({ url }: TestGateway, query = ''): Promise<Told & { tool(name: string): Tool }> {
  const told = (await (await fetch(`${url}/v1/tool-usage${query}`)).json()) as Told
  return { ...told, tool: (name) => told.data.find((one) => one.name === name)! }
}

describe('how the tools of clients are used', () => {
  it('counts requests that define a tool, calls and failures once, and tokens as often as they are carried', async () => {
    const gateway = await testGateway({ script: () => 'done' })
    await send(gateway)
    const told = await asked(gateway)
    expect([told.requests, told.whole, told.unread, told.tools]).toEqual([3, true, 0, 3])
    // Called with the second request; its result is carried twice.
    expect(told.tool('read')).toMatchObject({ defined: 3, wasted: 1, called: 1, failed: 0, isOurs: false })
    expect(told.tool('write')).toMatchObject({ defined: 3, wasted: 2, called: 1, failed: 1 })
    expect(told.tool('deploy')).toMatchObject({ defined: 3, wasted: 3, called: 0, failed: 0, resultTokens: 0 })
    for (const { name, tokens, definitionTokens, wasted, wastedTokens } of told.data) {
      expect([name, definitionTokens]).toEqual([name, 3 * tokens])
      expect([name, wastedTokens]).toEqual([name, wasted! * tokens])
    }
    expect(told.tool('read').resultTokens).toBeGreaterThan(2 * 100)
    const sum = (of: (tool: Tool) => number): number => told.data.reduce((all, tool) => all + of(tool), 0)
    expect(told.totals).toEqual({
      requests: 3,
      definedTokens: sum((tool) => tool.definitionTokens),
      wastedTokens: sum((tool) => tool.wastedTokens!),
      leftTokens: 0,
      leftRequests: 0,
    })
  })

  it('dollars are tokens at the input price of the model, and a share of the bill beside', async () => {
    const gateway = await testGateway({ script: () => 'done' })
    await send(gateway)
    const { data } = await asked(gateway)
    for (const { name, definitionTokens, resultTokens, inputUsd } of data)
      expect([name, inputUsd]).toEqual([name, expect.closeTo(((definitionTokens + resultTokens!) * 3) / 1e6, 9)])
    const usage = (await (await fetch(`${gateway.url}/v1/usage`)).json()) as {
      groups: { group: string; usd: number }[]
    }
    const billed = (group: string): number => usage.groups.find((one) => one.group === group)!.usd
    expect(data.reduce((sum, { usd }) => sum + usd!, 0)).toBeCloseTo(
      billed('tool definitions') + billed('results of read') + billed('results of write'),
      9,
    )
  })

  it('in a dialect without a mark, a failed call is one whose text says so', async () => {
    const gateway = await testGateway({ script: () => 'done' })
    const results = [
      ['run', 'Error: Cannot find module "csv"\n    at Function.resolve (loader.js:1:2)\n\nExit code: 1'],
      ['run', 'ok 12 tests\n\nExit code: 0'],
      ['read', 'All is well.'],
    ] as const
    const tools = ['run', 'read'].map((name) => ({
      type: 'function',
      function: { name, description: name, parameters: { type: 'object', properties: {} } },
    }))
    const calls = results.map(([name], at) => ({ id: `c${at}`, type: 'function', function: { name, arguments: '{}' } }))
    const messages = [
      { role: 'user', content: 'Run the tests.' },
      { role: 'assistant', content: null, tool_calls: calls },
      ...results.map(([, content], at) => ({ role: 'tool', tool_call_id: `c${at}`, content })),
    ]
    await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'authorization': 'Bearer k' },
      body: JSON.stringify({ model: 'gpt-5.1', tools, messages }),
    }).then((reply) => reply.text())
    const told = await asked(gateway)
    expect(told.tool('run')).toMatchObject({ called: 2, failed: 1 })
    expect(told.tool('read')).toMatchObject({ called: 1, failed: 0 })
  })

  it('a price of the configuration holds', async () => {
    const [first] = toolTraffic
    const models = { 'claude-sonnet-4-5': { prices: { input: 1000, output: 1 } } }
    const gateway = await testGateway({ script: () => 'done', config: { models } })
    await (await post(gateway, anthropicFixture, first!)).text()
    const { tokens, inputUsd } = (await asked(gateway)).tool('deploy')
    expect(inputUsd).toBeCloseTo(tokens / 1000, 9)
  })

  it('a time, a session and a number narrow it', async () => {
    const gateway = await testGateway({ script: () => 'done' })
    await send(gateway, 'one')
    await send(gateway, 'other')
    expect((await asked(gateway)).tool('read')).toMatchObject({ defined: 6, called: 2 })
    expect((await asked(gateway, '?session=other')).tool('read')).toMatchObject({ defined: 3, called: 1 })
    const newest = await asked(gateway, '?limit=2&top=1')
    expect([newest.requests, newest.whole, newest.tools, newest.data.length]).toEqual([2, false, 3, 1])
    expect(await asked(gateway, '?since=2100-01-01T00:00:00Z')).toMatchObject({ requests: 0, tools: 0, data: [] })
  })

  it('without recorded content definitions are told, and calls are unknown', async () => {
    const gateway = await testGateway({ script: () => 'done', config: { record: 'receipts' } })
    await send(gateway)
    const told = await asked(gateway)
    expect([told.requests, told.unread]).toEqual([3, 3])
    const unknown = { wasted: null, called: null, failed: null, wastedTokens: null, resultTokens: null }
    expect(told.tool('read')).toMatchObject({ defined: 3, ...unknown })
    expect(told.totals['wastedTokens']).toBeGreaterThan(0)
  })

  it('of an agent with many tools it tells what is left to be found, what is ours, and what is learnt', async () => {
    const policy = { extends: 'careful', id: 'found', version: '1.0.0', tools: { selection: 'meta', deferred: false } }
    const config = { policy: 'found', policies: [policy] }
    const gateway = await testGateway({ script: () => 'done', config })
    const [, second] = toolTraffic
    await (await post(gateway, anthropicFixture, { ...second!, tools: definedTools(60) })).text()
    const told = await asked(gateway)
    expect(told.totals).toMatchObject({ leftRequests: 1 })
    expect(told.totals['leftTokens']).toBeGreaterThan(1000)
    expect(told.tool('search_tools')).toMatchObject({ isOurs: true, defined: 1 })
    expect(told.tool('read')).toMatchObject({ isOurs: false, learnt: { sessions: 1, calledIn: 1, called: 1 } })
    const left = told.data.filter(({ defined }) => defined === 0)
    expect(left.length).toBeGreaterThan(40)
    expect(left[0]).toMatchObject({
      tokens: 0,
      called: 0,
      inputUsd: null,
      usd: null,
      learnt: { sessions: 1, calledIn: 0 },
    })
    expect(JSON.stringify(told)).not.toContain('queries')
  })
})
