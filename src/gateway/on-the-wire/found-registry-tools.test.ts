import { afterEach, describe, expect, it } from 'vitest'
import type { ScriptEntry } from '../../providers/index.ts'
import { memoryStore } from '../../stores/index.ts'
import type { HostTool } from '../index.ts'
import { manyTools, smallAgents } from './many-tools.fixture.ts'
import type { AgentTask, AgentTool } from './many-tools.fixture.ts'
import { closeTestGateways, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway, TestGatewayOptions } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const call = (name: string, given: object) => ({ type: 'tool-call' as const, name, arguments: given as never })
const execute = (toolName: string, params: object) => call('execute_tool', { toolName, params })

const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
/** Functions of the gateway's own program, and how often each was run. */
function functions(): { readonly tools: readonly HostTool[]; readonly ran: unknown[] } {
  const ran: unknown[] = []
  const run: HostTool['run'] = (given) => {
    ran.push(given)
    return `It rains in ${String(given['city'])}.`
  }
  const about = { description: 'Forecast of the weather in a city.', inputSchema: city }
  return { tools: [{ name: 'forecast', ...about, run }], ran }
}

const policies = [
  { extends: 'careful', id: 'found', version: '1.0.0', tools: { selection: 'meta' as const } },
  { extends: 'careful', id: 'fitting', version: '1.0.0', tools: { selection: 'auto' as const } },
]
const config = { policy: 'found', policies }
const metaTools = ['search_tools', 'get_tool_schema', 'execute_tool']
const isMeta = /search_tools|get_tool_schema|execute_tool/

const own: readonly AgentTool[] = manyTools(3)
const task = (gateway: TestGateway, more: Partial<AgentTask> = {}): AgentTask => ({
  url: gateway.url,
  tools: own,
  prompt: 'What is the weather?',
  stream: true,
  run: ({ name }) => `did ${name}`,
  ...more,
})

function definedIn(body: string): readonly string[] {
  const { tools = [] } = JSON.parse(body) as { readonly tools?: readonly Record<string, unknown>[] }
  return tools
    .flatMap((tool) => (tool['functionDeclarations'] as Record<string, unknown>[]) ?? [tool['function'] ?? tool])
    .map((tool) => (tool as { readonly name: string }).name)
}

async function opened(options: TestGatewayOptions): Promise<TestGateway & { readonly ran: readonly unknown[] }> {
  const { tools, ran } = functions()
  return { ...(await testGateway({ config, host: { tools }, ...options })), ran }
}

const ways = smallAgents.flatMap((agent) => [true, false].map((stream) => ({ name: agent.name, agent, stream })))

describe.each(ways)('a tool of the registry that is not core ($name, stream $stream)', ({ agent, stream }) => {
  const finding: readonly ScriptEntry[] = [
    { parts: [call('search_tools', { query: 'weather forecast' })] },
    { parts: [call('get_tool_schema', { toolName: 'forecast' })] },
    { parts: [{ type: 'text', text: 'I look. ' }, execute('forecast', { city: 'Rome' })] },
    { parts: [call('read_file', { path: 'a.txt' })] },
    'Take an umbrella.',
  ]

  it('X-04: is found, run here, and the client sees its own calls only', async () => {
    const gateway = await opened({ script: finding })
    const { calls, got, text } = await agent.work(task(gateway, { stream }))
    expect([calls.map(({ name }) => name), text]).toEqual([['read_file'], 'Take an umbrella.'])
    expect(got).not.toMatch(isMeta)
    expect(gateway.ran).toEqual([{ city: 'Rome' }])
    const bodies = gateway.provider.requests.map(({ body }) => body)
    for (const body of bodies) expect(definedIn(body)).toEqual([...own.map(({ name }) => name), ...metaTools])
    expect(bodies[0]).toContain('There are 1: host (1).')
    expect(bodies[1]).toContain('forecast(city: string)')
    expect(bodies[3]).toContain('It rains in Rome.')
    expect(bodies[4]).toContain('It rains in Rome.')
  })

  it('is found by a client that has no tools', async () => {
    const gateway = await opened({ script: [...finding.slice(0, 3), 'Take an umbrella.'] })
    const { calls, got, text } = await agent.work(task(gateway, { stream, tools: [], more: { tools: undefined } }))
    expect(calls).toEqual([])
    expect(text).toMatch(/Take an umbrella\.$/)
    expect(got).not.toMatch(isMeta)
    expect(gateway.ran).toEqual([{ city: 'Rome' }])
    for (const { body } of gateway.provider.requests) expect(definedIn(body)).toEqual(metaTools)
  })

  it('is found beside tools of the client that are left out', async () => {
    const script: readonly ScriptEntry[] = [
      { parts: [execute('forecast', { city: 'Oslo' }), call('read_file', { path: 'a.txt' })] },
      { parts: [execute('mcp__github__create_issue', { title: 'Rain' })] },
      'Done.',
    ]
    const gateway = await opened({ script })
    const tools = manyTools(60)
    const { calls, got, text } = await agent.work(task(gateway, { stream, tools }))
    expect(calls).toEqual([
      { name: 'read_file', arguments: { path: 'a.txt' } },
      { name: 'mcp__github__create_issue', arguments: { title: 'Rain' } },
    ])
    expect(text).toBe('Done.')
    expect(got).not.toMatch(isMeta)
    expect(gateway.ran).toEqual([{ city: 'Oslo' }])
    const second = gateway.provider.requests[1]!.body
    expect(second).toContain('It rains in Oslo.')
    expect(second).toContain('did read_file')
    expect(gateway.provider.requests[2]!.body).toContain('It rains in Oslo.')
  })

  it('is run before a call of a client’s tool that the same reply makes by execute_tool', async () => {
    const issue = execute('mcp__github__create_issue', { title: 'Rain' })
    const script: readonly ScriptEntry[] = [
      { parts: [issue, execute('forecast', { city: 'Bern' })] },
      { parts: [issue] },
      'Done.',
    ]
    const gateway = await opened({ script })
    const { calls, got } = await agent.work(task(gateway, { stream, tools: manyTools(60) }))
    expect(calls).toEqual([{ name: 'mcp__github__create_issue', arguments: { title: 'Rain' } }])
    expect(got).not.toMatch(isMeta)
    expect(gateway.ran).toEqual([{ city: 'Bern' }])
    const second = gateway.provider.requests[1]!.body
    expect(second).toContain('It rains in Bern.')
    expect(second).toContain('This call was not run yet')
  })
})

const [anthropic, chat] = smallAgents as [(typeof smallAgents)[number], (typeof smallAgents)[number]]

describe('a call of a tool that was found in the registry', () => {
  it('is answered by what is wrong with its arguments', async () => {
    const script = [{ parts: [execute('forecast', { town: 'Rome' })] }, { parts: [execute('rain', {})] }, 'Done.']
    const gateway = await opened({ script })
    await anthropic.work(task(gateway))
    expect(gateway.ran).toEqual([])
    expect(gateway.provider.requests[1]!.body).toMatch(/Error invalid-arguments: .*city/)
    expect(gateway.provider.requests[2]!.body).toContain('There is no tool named')
  })

  it('gives the summary of a long result, and keeps the whole', async () => {
    const tools = [
      { name: 'report', description: 'Writes a report.', inputSchema: {}, run: () => 'word '.repeat(20_000) },
    ]
    const gateway = await testGateway({
      config,
      host: { tools },
      script: [{ parts: [execute('report', {})] }, 'Done.'],
    })
    await chat.work(task(gateway))
    const { body } = gateway.provider.requests[1]!
    expect(body).toMatch(/The result has \d+ tokens\. It is stored as artifact:\/\//)
    expect(body.length).toBeLessThan(20_000)
  })

  it('A-025: is refused without its scopes, and the tools stay as they are', async () => {
    const run: HostTool['run'] = () => 'gone'
    const tools = [{ name: 'erase', description: 'Erases everything.', inputSchema: {}, scopes: ['write'], run }]
    const script = [{ parts: [execute('erase', {})] }, 'Done.']
    const scoped = { ...config, tools: { scopes: { '*': ['read'] } } }
    const gateway = await testGateway({ config: scoped, host: { tools }, script })
    await chat.work(task(gateway))
    const [first, second] = gateway.provider.requests.map(({ body }) => body) as [string, string]
    expect(second).toContain('Error out-of-scope: erase needs the scope write')
    expect(definedIn(second)).toEqual(definedIn(first))
  })

  it.each([
    [
      'a scope that it lacks',
      { scopes: ['read'] },
      /Error out-of-scope: \w+ needs the scope write, which this step does not have/,
    ],
    ['tools that it does not name', { only: ['fore*'] }, /Error out-of-scope: \w+ is not among the tools of this step/],
  ])('X-04, A-025: is refused by its step for %s, and the tools stay as they are', async (_, allowed, told) => {
    const ran: string[] = []
    const tool = (name: string, level: 'core' | 'protocol'): HostTool => ({
      name,
      description: `Does ${name}.`,
      inputSchema: {},
      scopes: ['write'],
      level,
      run: () => `${ran.push(name)}`,
    })
    const script = [{ parts: [execute('erase', {})] }, { parts: [call('wipe', {})] }, 'Done.', 'Done.']
    const tools = [tool('erase', 'protocol'), tool('wipe', 'core')]
    const gateway = await testGateway({ config, host: { tools }, script })
    await anthropic.work(task(gateway, { more: { prehend: { tools: allowed } } }))
    await anthropic.work(task(gateway, { prompt: 'Another conversation.' }))
    const bodies = gateway.provider.requests.map(({ body }) => body)
    expect(ran).toEqual([])
    expect(bodies[1]).toMatch(told)
    expect(bodies[2]!.replace(bodies[1]!.slice(0, 200), '')).toMatch(told)
    for (const body of bodies) expect(definedIn(body)).toEqual(definedIn(bodies[0]!))
    expect(bodies.join('')).not.toContain('"prehend"')
  })

  it('may take what its timeout class allows, whatever other tools of the gateway may take', async () => {
    const run: HostTool['run'] = () => new Promise((done) => setTimeout(() => done('slow but there'), 300))
    const tools = [{ name: 'slow', description: 'Takes its time.', inputSchema: {}, run }]
    const script = [{ parts: [execute('slow', {})] }, 'Done.']
    const gateway = await testGateway({ config: { ...config, limits: { toolMs: 50 } }, host: { tools }, script })
    await chat.work(task(gateway))
    expect(gateway.provider.requests[1]!.body).toContain('slow but there')
  })

  it('stands in receipts, which make the same bytes again, and in the counts of the tool', async () => {
    const script = [
      { parts: [call('search_tools', { query: 'weather' })] },
      { parts: [execute('forecast', { city: 'Rome' })] },
      { parts: [call('read_file', { path: 'a' })] },
      'Done.',
    ]
    const gateway = await opened({ script, config: { ...config, record: 'content' } })
    await anthropic.work(task(gateway))
    const receipts = await gateway.store.read('receipts').list('default', { limit: 10 })
    expect(receipts.map(({ leftTools: found }) => found)).toEqual([
      { tools: 3, left: 0, leftTokens: 0, isDeferred: false, ofRegistry: 1 },
      { tools: 3, left: 0, leftTokens: 0, isDeferred: false, ofRegistry: 1 },
    ])
    for (const { requestId } of receipts) {
      const response = await fetch(`${gateway.url}/v1/packs/${requestId}/verify`, { method: 'POST' })
      expect(await response.json()).toMatchObject({ verified: true, differences: [] })
    }
    const list = (await (await fetch(`${gateway.url}/v1/tools`)).json()) as { data: { usage: object }[] }
    expect(list.data[0]!.usage).toMatchObject({ offered: 1, called: 1, failed: 0 })
  })
})

it('X-04: a session that found tools of the registry goes on in another process, with the same bytes', async () => {
  const store = memoryStore()
  const script = [
    { parts: [call('search_tools', { query: 'weather' })] },
    { parts: [execute('forecast', { city: 'Rome' })] },
    'It rains.',
  ]
  const first = await opened({ script, store })
  await chat.work(task(first))
  const before = JSON.parse(first.provider.requests.at(-1)!.body) as { tools: unknown; messages: unknown[] }
  const messages = [
    { role: 'user', content: 'What is the weather?' },
    { role: 'assistant', content: 'It rains.' },
    { role: 'user', content: 'And tomorrow?' },
  ]
  const second = await opened({ script: ['It will rain.'], store, clock: first.clock })
  await chat.work(task(second, { more: { messages } }))
  const after = JSON.parse(second.provider.requests[0]!.body) as { tools: unknown; messages: unknown[] }
  expect(after.tools).toEqual(before.tools)
  expect(after.messages.slice(0, before.messages.length)).toEqual(before.messages)
})

describe('names of tools of the registry', () => {
  it('are those of the client’s tools first: the other one has its source before it', async () => {
    const forecast = { ...own[0]!, name: 'forecast', description: 'Forecast of the stock market.' }
    const script = [
      { parts: [call('search_tools', { query: 'forecast of the weather' })] },
      { parts: [execute('host__forecast', { city: 'Rome' })] },
      { parts: [call('forecast', { path: 'x' })] },
      'Done.',
    ]
    const gateway = await opened({ script })
    const { calls } = await anthropic.work(task(gateway, { tools: [...own, forecast] }))
    expect(gateway.provider.requests[1]!.body).toContain('host__forecast(city: string)')
    expect(gateway.ran).toEqual([{ city: 'Rome' }])
    expect(calls).toEqual([{ name: 'forecast', arguments: { path: 'x' } }])
  })

  it('of core tools stand in the request, and are not found a second time', async () => {
    const { tools } = functions()
    const core = tools.map((tool) => ({ ...tool, level: 'core' as const }))
    const other = { ...tools[0]!, name: 'sunrise', description: 'When the sun rises in a city.' }
    const script = [{ parts: [call('search_tools', { query: 'weather forecast in a city' })] }, 'Done.']
    const gateway = await testGateway({ config, host: { tools: [...core, other] }, script })
    await anthropic.work(task(gateway))
    expect(definedIn(gateway.provider.requests[0]!.body)).toContain('forecast')
    const { body } = gateway.provider.requests[1]!
    expect(body).toContain('- sunrise(city: string)')
    expect(body).not.toContain('- forecast(city: string)')
  })
})

describe('when sessions find tools of the registry', () => {
  const definesNone: readonly [string, Parameters<typeof opened>[0], Partial<AgentTask>][] = [
    ['where nothing is selected', { config: { ...config, policy: 'careful' } }, {}],
    ['where a request forces a tool', {}, { more: { tool_choice: { type: 'tool', name: 'run' } } }],
    [
      'where the client has them from prehend mcp',
      {},
      { tools: [...own, { ...own[0]!, name: 'mcp__prehend__execute_tool' }] },
    ],
    [
      'where the client has a tool of one of these names',
      {},
      { tools: [...own, { ...own[0]!, name: 'search_tools' }] },
    ],
  ]
  it.each(definesNone)('not %s', async (_, options, more) => {
    const gateway = await opened({ script: ['Done.'], ...options })
    await anthropic.work(task(gateway, more))
    expect(definedIn(gateway.provider.requests[0]!.body)).not.toContain('execute_tool')
  })

  it('in a chat that wants an answer of a certain form, they would stand in its way', async () => {
    const gateway = await opened({ script: ['{}'] })
    await chat.work(
      task(gateway, { stream: false, tools: [], more: { tools: undefined, response_format: { type: 'json_object' } } }),
    )
    expect(definedIn(gateway.provider.requests[0]!.body)).toEqual([])
  })

  it('by auto, too, since they could not be called otherwise', async () => {
    const gateway = await opened({ script: ['Done.'], config: { ...config, policy: 'fitting' } })
    await anthropic.work(task(gateway))
    expect(definedIn(gateway.provider.requests[0]!.body)).toEqual([...own.map(({ name }) => name), ...metaTools])
  })

  it('X-04: a tool that the client adds is defined, since all of its tools are', async () => {
    const gateway = await opened({ script: ['Hello.', 'Done.'] })
    await anthropic.work(task(gateway))
    const added = { ...own[0]!, name: 'added' }
    const messages = [
      { role: 'user', content: 'What is the weather?' },
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'Go on.' },
    ]
    await anthropic.work(task(gateway, { tools: [...own, added], more: { messages } }))
    expect(definedIn(gateway.provider.requests[1]!.body)).toEqual([
      ...own.map(({ name }) => name),
      'added',
      ...metaTools,
    ])
  })
})
