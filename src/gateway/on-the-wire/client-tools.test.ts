import { afterEach, describe, expect, it } from 'vitest'
import type { ScriptEntry, SimulatedRequest, Upstream } from '../../providers/index.ts'
import { memoryStore } from '../../stores/index.ts'
import { manyTools, smallAgents } from './many-tools.fixture.ts'
import type { AgentTask, RunCall } from './many-tools.fixture.ts'
import { closeTestGateways, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const tools = manyTools(120)
const wanted = { title: 'It "breaks"', body: 'line 1\nline 2 é' }
const policies = [
  { extends: 'careful', id: 'found', version: '1.0.0', tools: { selection: 'meta' as const, deferred: false } },
]
const config = { policy: 'found', policies }

const call = (name: string, given: object) => ({ type: 'tool-call' as const, name, arguments: given as never })
/** A model that looks for a tool, reads its schema, calls it beside a word, and then one that stands among its tools. */
const finding: readonly ScriptEntry[] = [
  { parts: [call('search_tools', { query: 'create an issue on github' })] },
  { parts: [call('get_tool_schema', { toolName: 'mcp__github__create_issue' })] },
  {
    parts: [
      { type: 'text', text: 'I file it. ' },
      call('execute_tool', { toolName: 'mcp__github__create_issue', params: wanted }),
    ],
  },
  { parts: [call('read_file', { path: 'a.txt' })] },
  'All done.',
]

const ways = smallAgents.flatMap((agent) => [true, false].map((stream) => ({ name: agent.name, agent, stream })))
const isMeta = /search_tools|get_tool_schema|execute_tool/

interface Sent {
  readonly names: readonly string[]
  readonly messages: readonly unknown[]
  readonly body: string
}

function sentTools(body: string): readonly { readonly name: string }[] {
  const { tools: listed } = JSON.parse(body) as { readonly tools: Record<string, unknown>[] }
  return listed.flatMap(
    (tool) => (tool['functionDeclarations'] as Record<string, unknown>[]) ?? [tool['function'] ?? tool],
  ) as { name: string }[]
}

function sentIn({ body }: SimulatedRequest): Sent {
  const json = JSON.parse(body) as Record<string, unknown>
  return {
    names: sentTools(body).map(({ name }) => name),
    messages: (json['messages'] ?? json['input'] ?? json['contents']) as unknown[],
    body,
  }
}

describe('an agent with 120 tools', () => {
  it.each(ways)(
    'G-027, M-04: finds one and calls it, and knows of no other tools than its own ($name, stream $stream)',
    async ({ agent, stream }) => {
      const gateway = await testGateway({ config, script: finding })
      const ran: RunCall[] = []
      const answers = (one: RunCall): string => {
        ran.push(one)
        return `did ${one.name}`
      }
      const { calls, got, text } = await agent.work({
        url: gateway.url,
        tools,
        prompt: 'File the bug.',
        stream,
        run: answers,
      })
      expect(calls).toEqual([
        { name: 'mcp__github__create_issue', arguments: wanted },
        { name: 'read_file', arguments: { path: 'a.txt' } },
      ])
      expect(text).toBe('All done.')
      expect(got).not.toMatch(isMeta)
      const sent = gateway.provider.requests.map(sentIn)
      expect(sent).toHaveLength(5)
      const definitions = JSON.stringify(sentTools(gateway.provider.requests[0]!.body).slice(3))
      expect(definitions.length).toBeLessThan(0.025 * JSON.stringify(tools.slice(3)).length)
      for (const { names } of sent)
        expect(names).toEqual(['read_file', 'write_file', 'run', 'search_tools', 'get_tool_schema', 'execute_tool'])
      for (const [at, { messages }] of sent.entries()) {
        if (at === 0) continue
        const before = sent[at - 1]!.messages
        expect(withoutMarks(messages.slice(0, before.length))).toEqual(withoutMarks(before))
      }
      expect(sent.at(-1)!.body).toContain('did mcp__github__create_issue')
      expect(sent[1]!.body).toContain('mcp__github__create_issue(title: string, body?: string')
    },
  )
})

type Agent = (typeof smallAgents)[number]
const [anthropic, chat, responses] = smallAgents as [Agent, Agent, Agent]
const task = (gateway: TestGateway, more: Partial<AgentTask> = {}): AgentTask => ({
  url: gateway.url,
  tools,
  prompt: 'File the bug.',
  stream: true,
  run: ({ name }) => `did ${name}`,
  ...more,
})

describe('a call by execute_tool that no client could run', () => {
  it.each([
    ['names no tool', {}, /Call execute_tool with \{"toolName"/],
    [
      'names a tool that nobody has',
      { toolName: 'create_github_issue', params: {} },
      /There is no tool named "create_github_issue"\. Did you mean .*mcp__github__create_issue/,
    ],
    ['names a tool that stands in the request', { toolName: 'run', params: {} }, /Call run by its own name/],
    ['lacks what is required', { toolName: 'mcp__github__create_issue', params: { body: 'x' } }, /title/],
    [
      'has a value that is not allowed',
      { toolName: 'mcp__github__create_issue', params: { title: 'x', priority: 'now' } },
      /priority.*"low".*"high"/s,
    ],
  ])(
    'is answered in a hidden round where it %s, and the calls beside it are not run either',
    async (_, given, told) => {
      const script: ScriptEntry[] = [
        { parts: [call('execute_tool', given), call('read_file', { path: 'b.txt' })] },
        { parts: [call('execute_tool', { toolName: 'mcp__github__create_issue', params: wanted })] },
        'All done.',
      ]
      const gateway = await testGateway({ config, script })
      const { calls, got } = await anthropic.work(task(gateway))
      expect(calls).toEqual([{ name: 'mcp__github__create_issue', arguments: wanted }])
      expect(got).not.toMatch(isMeta)
      const { body } = gateway.provider.requests[1]!
      expect(body.replaceAll('\\"', '"')).toMatch(told)
      expect(body).toContain('This call was not run either')
    },
  )

  it('is the client its own to answer where no hidden round is left', async () => {
    const script = (): ScriptEntry => ({ parts: [call('execute_tool', { toolName: 'nobody', params: { a: 1 } })] })
    const gateway = await testGateway({ config: { ...config, limits: { rehydrateRounds: 2 } }, script })
    const ran: RunCall[] = []
    const working = chat.work(task(gateway, { run: (one) => `${ran.push(one)}` }))
    await expect(working).rejects.toThrow('on and on')
    expect(ran[0]).toMatchObject({ name: 'nobody', arguments: { a: 1 } })
  })
})

describe('what stands in requests', () => {
  it('several calls of one reply reach the client as calls of its tools, in their order', async () => {
    const one = { toolName: 'mcp__slack__create_issue', params: { title: 'one' } }
    const two = { toolName: 'mcp__jira__create_issue', params: { title: 'two' } }
    const parts = [call('execute_tool', one), call('read_file', { path: 'c' }), call('execute_tool', two)]
    for (const agent of smallAgents)
      for (const stream of [true, false]) {
        const gateway = await testGateway({ config, script: [{ parts }, 'All done.'] })
        const { calls } = await agent.work(task(gateway, { stream }))
        expect(calls.map(({ name }) => name)).toEqual([one.toolName, 'read_file', two.toolName])
        expect(calls.map(({ arguments: given }) => given)).toEqual([one.params, { path: 'c' }, two.params])
      }
  })

  it('X-04: a tool that the client adds in between moves no byte, and is found', async () => {
    const added = {
      ...tools[5]!,
      name: 'mcp__weather__get_forecast',
      description: 'Forecast of the weather in a city.',
    }
    const seen: string[][] = []
    const gateway = await testGateway({
      config,
      script: ({ body }, turn) => {
        if (turn === 0) return 'Hello.'
        if (turn === 1) return { parts: [call('search_tools', { query: 'weather forecast' })] }
        return body.includes('mcp__weather__get_forecast(') ? 'Found.' : 'Not found.'
      },
    })
    const first = await anthropic.work(task(gateway))
    expect(first.text).toBe('Hello.')
    const messages = [
      { role: 'user', content: 'File the bug.' },
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'What is the weather?' },
    ]
    const asked = await anthropic.work(task(gateway, { tools: [...tools, added], more: { messages } }))
    expect(asked.text).toBe('Found.')
    for (const { body } of gateway.provider.requests) seen.push([...sentIn({ body } as SimulatedRequest).names])
    expect(new Set(seen.map((names) => names.join())).size).toBe(1)
  })

  it('a client that forces a tool which is not listed sends all as they are', async () => {
    const gateway = await testGateway({ config, script: ['Hello.', 'Forced.'] })
    await anthropic.work(task(gateway))
    await anthropic.work(task(gateway, { more: { tool_choice: { type: 'tool', name: 'mcp__slack__get_issue' } } }))
    expect(sentIn(gateway.provider.requests[1]!).names.slice(0, 120)).toEqual(tools.map(({ name }) => name))
  })

  it('a client that has a tool of one of these names gets no catalogue', async () => {
    const own = { ...tools[5]!, name: 'search_tools' }
    const gateway = await testGateway({ config, script: [{ parts: [call('search_tools', { title: 'a' })] }, 'Done.'] })
    const { calls } = await chat.work(task(gateway, { tools: [...tools, own] }))
    expect(calls).toEqual([{ name: 'search_tools', arguments: { title: 'a' } }])
    expect(sentIn(gateway.provider.requests[0]!).names).not.toContain('execute_tool')
  })

  it('a session goes on in another process as it was', async () => {
    const store = memoryStore()
    const script = finding.slice(0, 3)
    const first = await testGateway({ config, script: [...script, 'Stopped.'], store })
    const { got } = await chat.work(task(first))
    const before = first.provider.requests.at(-1)!.body
    const [message, last] = JSON.parse(got) as [unknown, unknown]
    const messages = [
      { role: 'user', content: 'File the bug.' },
      message,
      {
        role: 'tool',
        tool_call_id: (message as { tool_calls: { id: string }[] }).tool_calls[0]!.id,
        content: 'did mcp__github__create_issue',
      },
      last,
      { role: 'user', content: 'Go on.' },
    ]
    const second = await testGateway({ config, script: ['Went on.'], store, clock: first.clock })
    expect((await chat.work(task(second, { more: { messages } }))).text).toBe('Went on.')
    const after = sentIn(second.provider.requests[0]!)
    expect(after.messages.slice(0, sentIn({ body: before } as SimulatedRequest).messages.length)).toEqual(
      sentIn({ body: before } as SimulatedRequest).messages,
    )
    expect(after.names).toEqual(sentIn({ body: before } as SimulatedRequest).names)
  })

  it('a receipt makes the same bytes again, and says what was saved', async () => {
    const gateway = await testGateway({ config: { ...config, record: 'content' }, script: finding })
    await anthropic.work(task(gateway))
    const receipts = await gateway.store.read('receipts').list('default', { limit: 10 })
    expect(receipts.length).toBe(3)
    // The agent calls one of its own three tools in the end.
    expect(receipts.map(({ wastedTools: found }) => [found?.defined, found?.wasted])).toEqual([
      [3, 2],
      [3, 3],
      [3, 3],
    ])
    const [{ wastedTools: last } = {}] = receipts
    expect(last?.wastedTokens).toBeGreaterThan(0)
    expect(last?.wastedTokens).toBeLessThan(last?.definedTokens ?? 0)
    for (const { requestId } of receipts) {
      const response = await fetch(`${gateway.url}/v1/packs/${requestId}/verify`, { method: 'POST' })
      expect(await response.json()).toMatchObject({ verified: true, differences: [] })
      const receipt = await gateway.store.read('receipts').get('default', requestId)
      expect(receipt?.leftTools).toMatchObject({ tools: 120, left: 117, isDeferred: false })
      const { usd = 0, passThroughUsd = 0 } = receipt?.result?.cost ?? {}
      expect(usd).toBeLessThan(passThroughUsd / 2)
    }
  })

  it('M-04: a client that uses the tool search of OpenAI by itself sends all as they are', async () => {
    const own = [
      { type: 'tool_search', execution: 'client', description: 'Finds tools.', parameters: { type: 'object' } },
      ...tools
        .slice(0, 60)
        .map(({ schema, ...tool }) => ({ type: 'function', ...tool, parameters: schema, defer_loading: true })),
    ]
    const gateway = await testGateway({ config, script: ['Done.'] })
    await responses.work(task(gateway, { more: { tools: own } }))
    const { tools: sent } = JSON.parse(gateway.provider.requests[0]!.body) as { readonly tools: unknown[] }
    expect(sent.slice(0, own.length)).toEqual(own)
    expect(JSON.stringify(sent)).not.toContain('execute_tool')
  })

  it("a request's own word goes before its policy", async () => {
    const gateway = await testGateway({ config, script: ['Done.'] })
    await anthropic.work(task(gateway, { more: { prehend: { settings: { tools_selection: 'off' } } } }))
    expect(sentIn(gateway.provider.requests[0]!).names.slice(0, 120)).toEqual(tools.map(({ name }) => name))
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
    expect(metrics).toContain('prehend_tool_definitions_total{use="uncalled"} 120')
    expect(metrics).toMatch(/prehend_tool_definition_tokens_total\{use="uncalled"\} [1-9]\d{3}/)
  })

  it('sticky: those that fit the first message best stand beside the core', async () => {
    const sticky = [{ ...policies[0]!, tools: { selection: 'sticky' as const, maxTools: 6, deferred: false } }]
    const gateway = await testGateway({ config: { ...config, policies: sticky }, script: ['Done.'] })
    await anthropic.work(task(gateway, { prompt: 'Create an issue in github for the broken build.' }))
    const { names } = sentIn(gateway.provider.requests[0]!)
    expect(names.slice(0, 3)).toEqual(['read_file', 'write_file', 'run'])
    expect(names.slice(3, 6)).toContain('mcp__github__create_issue')
    expect(names.slice(6)).toEqual(['search_tools', 'get_tool_schema', 'execute_tool'])
  })

  it('A-055, X-04: sticky, a step of the host gets tools of its own, which stay until the next step', async () => {
    const sticky = [{ ...policies[0]!, tools: { selection: 'sticky' as const, maxTools: 6, deferred: false } }]
    const gateway = await testGateway({ config: { ...config, policies: sticky }, script: ['Done.'] })
    const file = 'Create an issue in github for the broken build.'
    const send = 'Archive the channel in slack.'
    const asked = [
      ['file', file],
      ['file', `${file} ${send}`],
      ['tell', send],
      ['tell', `${send} ${file}`],
      [undefined, file],
    ] as const
    const messages: object[] = []
    for (const [stepId, content] of asked) {
      messages.push({ role: 'user', content })
      await fetch(`${gateway.url}/v1/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': 'k', 'anthropic-version': '2023-06-01' },
        body: JSON.stringify({
          model: 'claude-sonnet-4-5',
          max_tokens: 100,
          tools: tools.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
          messages,
          ...(stepId && { prehend: { taskId: 'release', stepId } }),
        }),
      })
      messages.push({ role: 'assistant', content: 'Done.' })
    }
    const names = gateway.provider.requests.map((request) => sentIn(request).names.join(' '))
    expect(names[0]).toContain('mcp__github__create_issue')
    expect(names[2]).toContain('mcp__slack__archive_channel')
    expect(names[2]).not.toContain('mcp__github__create_issue')
    expect(names).toEqual([names[0], names[0], names[2], names[2], names[2]])
  })

  it('auto: many tools are found, few are carried', async () => {
    const auto = [{ ...policies[0]!, tools: { selection: 'auto' as const, deferred: false } }]
    for (const [count, isFound] of [
      [120, true],
      [12, false],
    ] as const) {
      const gateway = await testGateway({ config: { ...config, policies: auto }, script: ['Done.'] })
      await anthropic.work(task(gateway, { tools: manyTools(count) }))
      expect(sentIn(gateway.provider.requests[0]!).names.includes('execute_tool')).toBe(isFound)
    }
  })
})

describe('where the provider keeps definitions aside', () => {
  const deferring = { policy: 'found', policies: [{ ...policies[0]!, tools: { selection: 'meta' as const } }] }
  const marked = tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    input_schema: tool.schema,
    ...(tool === tools.at(-1) && { cache_control: { type: 'ephemeral' } }),
  }))

  it.each([true, false])(
    'M-04: Claude is told of all tools, shown those that a search has found, and calls them by their names (stream %s)',
    async (stream) => {
      const script: ScriptEntry[] = [
        { parts: [call('search_tools', { query: 'create an issue on github' })] },
        { parts: [call('mcp__github__create_issue', wanted)] },
        'All done.',
      ]
      const gateway = await testGateway({ config: { ...deferring, record: 'content' }, script })
      const { calls, got } = await anthropic.work(task(gateway, { stream, more: { tools: marked } }))
      expect(calls).toEqual([{ name: 'mcp__github__create_issue', arguments: wanted }])
      expect(got).not.toMatch(isMeta)
      const bodies = gateway.provider.requests.map(({ body }) => JSON.parse(body) as DeferringBody)
      for (const { tools: sent } of bodies) {
        expect(sent.filter((tool) => tool.defer_loading !== true).map(({ name }) => name)).toEqual([
          'read_file',
          'write_file',
          'run',
          'search_tools',
        ])
        expect(sent.filter((tool) => tool.defer_loading === true)).toHaveLength(117)
        expect(sent.filter((tool) => tool.defer_loading === true && tool.cache_control)).toEqual([])
      }
      const [, second, third] = bodies
      const answer = JSON.stringify(second!.messages.at(-1))
      expect(answer).toContain('{"type":"tool_reference","tool_name":"mcp__github__create_issue"}')
      expect(withoutMarks(third!.messages.slice(0, 3))).toEqual(withoutMarks(second!.messages))
      const [last] = await gateway.store.read('receipts').list('default', { limit: 1 })
      const response = await fetch(`${gateway.url}/v1/packs/${last!.requestId}/verify`, { method: 'POST' })
      expect(await response.json()).toMatchObject({ verified: true, differences: [] })
    },
  )
})

it('M-04: what stands before Claude and may know no deferred tools gets none, unless the policy says that it does', async () => {
  for (const deferred of [undefined, true]) {
    const selecting = { selection: 'meta' as const, ...(deferred !== undefined && { deferred }) }
    const elsewhere = {
      policy: 'found',
      policies: [{ ...policies[0]!, tools: selecting }],
      upstreams: { proxy: { baseUrl: 'http://127.0.0.1:9', dialect: 'anthropic-messages' as const } },
    }
    const asked: string[] = []
    const upstream: Upstream = {
      name: 'proxy',
      send: async ({ body }) => {
        asked.push(String(body))
        throw new Error('nobody is there')
      },
      close: async () => undefined,
    }
    const gateway = await testGateway({ config: elsewhere, upstream })
    await expect(anthropic.work(task(gateway))).rejects.toThrow(/5\d\d|nobody|unreachable/)
    expect(asked[0]!.includes('defer_loading')).toBe(deferred === true)
    expect(asked[0]!.includes('execute_tool')).toBe(deferred !== true)
  }
})

interface DeferringBody {
  readonly tools: readonly { name: string; defer_loading?: boolean; cache_control?: object }[]
  readonly messages: readonly unknown[]
}

/** Marks for a provider's cache move with the end of a request. */
function withoutMarks(messages: readonly unknown[]): unknown {
  return JSON.parse(JSON.stringify(messages), (key, value: unknown) => (key === 'cache_control' ? undefined : value))
}
