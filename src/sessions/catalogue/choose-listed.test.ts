import { describe, expect, it } from 'vitest'
import { codecFor } from '../../codecs/index.ts'
import { careful } from '../../compiler/index.ts'
import type { ToolPolicy, WireExchange } from '../../core/index.ts'
import { shippedCatalogue } from '../../tokens/index.ts'
import { liveState } from '../live-state.ts'
import { aboutTools, serverOf } from './about-tools.ts'
import { chooseListed, meaningFor } from './choose-listed.ts'
import { listAnew } from './list-anew.ts'

const size = 300
const tool = (name: string, description = 'Does one thing.', more: object = {}) => ({
  type: 'function',
  function: { name, description, parameters: { type: 'object', properties: {} } },
  ...more,
})
const own = ['read_file', 'run'].map((name) => tool(name))
const github = Array.from({ length: 60 }, (_, at) => tool(`github__do_${at}`, `Does thing ${at} of a repository.`))
const issues = tool('github__create_issue', 'Creates an issue in a repository.')

function request(
  tools: readonly object[],
  messages: readonly object[] = [{ role: 'user', content: 'Hello.' }],
  more = {},
): WireExchange {
  return codecFor('openai-chat').decode({ body: JSON.stringify({ model: 'gpt-5.1', tools, messages, ...more }) })
}

function choose(received: WireExchange, tools: ToolPolicy, more: Partial<Parameters<typeof chooseListed>[0]> = {}) {
  const tokens = new Map(received.conversation.tools.map(({ name }) => [name, size]))
  const policy = { ...careful, tools }
  const prices = { read: 0.1, write: 1, minTokens: 0, ttlMs: 300_000 }
  return chooseListed({
    received,
    policy,
    prices,
    defers: false,
    tokens: () => tokens,
    count: (text) => text.length / 4,
    ...more,
  })
}

const called = (name: string, id = 'c1') => [
  { role: 'user', content: 'Do it.' },
  { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: { name, arguments: '{}' } }] },
  { role: 'tool', tool_call_id: id, content: 'done' },
]

describe('the tools that requests define', () => {
  it('are all of them unless a policy selects', () => {
    expect(choose(request([...own, ...github]), {})).toBeUndefined()
    expect(choose(request([...own, ...github]), { selection: 'off' })).toBeUndefined()
  })

  it("G-023: are the agent's own, and those that the policy calls core, whatever is asked", () => {
    const received = request([...own, ...github])
    expect(choose(received, { selection: 'meta' })?.listed).toEqual(['read_file', 'run'])
    const core = choose(
      received,
      {},
      { policy: { ...careful, coreTools: ['github__do_7'], tools: { selection: 'meta' } } },
    )
    expect(core?.listed).toEqual(['read_file', 'run', 'github__do_7'])
  })

  it('G-025: sticky, those of the others that fit what is asked best come in, within both limits', () => {
    const received = request(
      [...own, ...github, issues],
      [{ role: 'user', content: 'Create an issue in the repository.' }],
    )
    const listed = choose(received, { selection: 'sticky', maxTools: 5 })?.listed ?? []
    expect(listed).toHaveLength(5)
    expect(listed).toContain('github__create_issue')
    expect(choose(received, { selection: 'sticky', maxTokens: 3 * size })?.listed).toHaveLength(3)
    expect(choose(received, { selection: 'sticky', maxTools: 1 })?.listed).toEqual(['read_file', 'run'])
  })

  it('G-025: sticky, by vectors too where they are handed in; the same vectors choose the same tools', () => {
    const received = request([...own, ...github, issues], [{ role: 'user', content: 'Raindrops, please.' }])
    const names = received.conversation.tools.map(({ name }) => name)
    const vectors = new Map(names.map((name) => [name, name === 'github__do_9' ? [1, 0] : [0, 1]]))
    const sticky = { selection: 'sticky' } as const
    const meaning = { meanings: { vectors }, vector: [1, 0] }
    expect(choose(received, sticky)?.listed).toEqual(['read_file', 'run'])
    const chosen = choose(received, sticky, { meaning })
    expect(chosen?.listed).toEqual(['read_file', 'run', 'github__do_9'])
    expect(choose(received, sticky, { meaning })).toEqual(chosen)
  })

  it('asks for vectors where something is searched, and nowhere else', () => {
    const received = request([...own, ...github])
    const query = (tools: ToolPolicy, of = received) =>
      meaningFor({ policy: { ...careful, tools }, received: of })?.query
    expect(query({ selection: 'sticky' })).toBe('Hello.')
    expect(query({ selection: 'auto' })).toBe('Hello.')
    expect(query({ selection: 'auto' }, request(own))).toBeUndefined()
    expect(query({ selection: 'meta' })).toBeUndefined()
    expect(query({})).toBeUndefined()
    expect(query({ selection: 'sticky' }, request([...github, tool('execute_tool')]))).toBeUndefined()
    expect(query({ selection: 'sticky' }, request([]))).toBeUndefined()
  })

  it('A-055: sticky, a conversation whose tools all stand chooses once for each step', () => {
    const received = request(own)
    const definition = { name: 'forecast', description: 'Forecast.', schema: {} }
    const hosted = [{ id: 'host::forecast', server: 'host', definition }]
    const step = { stepId: 'deploy' }
    const tools = { selection: 'sticky' } as const
    const part = choose(received, tools, { hosted, step })
    expect(part).toMatchObject({ isWhole: true, step: '["","deploy"]' })
    const nowMs = 1_000_000
    const ledger = { layout: 'messages', lastRequestMs: nowMs - 1000 } as never
    const state = { ...liveState(), ledger, received, overlay: part ? [part] : [] }
    const info = shippedCatalogue.info('gpt-5.1')
    const asked = { received, state, policy: { ...careful, tools }, info, hosted, nowMs, meaning: 'none' } as const
    expect(listAnew({ ...asked, step })).toEqual({ part, isNew: false })
    expect(listAnew({ ...asked, step: { stepId: 'test' } })).toMatchObject({ isNew: true })
  })

  it('a tool that was called stays, called by the name that it was called by', () => {
    const direct = request([...own, ...github], called('github__do_9'))
    expect(choose(direct, { selection: 'meta' })?.listed).toContain('github__do_9')
    const before = { kind: 'tools', listed: ['read_file', 'run'], about: '' } as const
    expect(choose(direct, { selection: 'meta' }, { before })?.listed).not.toContain('github__do_9')
  })

  it('C-020: a tool that half of the earlier conversations called is one of them, in an agent with many tools of its own, too', () => {
    const many = Array.from({ length: 50 }, (_, at) => tool(`own_${at}`))
    const use = { offered: 0, called: 0, failed: 0, queries: [] }
    const uses = new Map([
      ['own_7', { ...use, sessions: 4, calledIn: 2 }],
      ['own_8', { ...use, sessions: 4, calledIn: 1 }],
      ['own_9', { ...use, sessions: 1, calledIn: 1 }],
      ['github__do_3', { ...use, sessions: 2, calledIn: 2 }],
    ])
    const learnt = { uses, past: new Map() }
    const received = request([...many, ...github])
    expect(choose(received, { selection: 'meta' }, { learnt })?.listed).toEqual(['own_7', 'github__do_3'])
  })

  it('auto: are all of them where that costs no more, and few where it does', () => {
    expect(choose(request([...own, ...github.slice(0, 8)]), { selection: 'auto' })).toBeUndefined()
    expect(choose(request([...own, ...github]), { selection: 'auto' })?.listed).toEqual(['read_file', 'run'])
    // A long conversation in which much is looked for costs more than the definitions of few.
    const long = [{ role: 'user', content: 'word '.repeat(200_000) }]
    expect(choose(request([...own, ...github], long), { selection: 'auto' })).toBeUndefined()
    // Sessions that end at once pay less for definitions.
    const some = request([...own, ...github.slice(0, 15)])
    expect(choose(some, { selection: 'auto' })).toBeDefined()
    expect(choose(some, { selection: 'auto' }, { sessionLengths: { sessions: 100, requests: 100 } })).toBeUndefined()
  })

  it.each([
    [
      'a client that finds tools by itself',
      [...github, tool('x__y', '', { function: { name: 'x__y', defer_loading: true } })],
      {},
    ],
    ['a client that has a tool of one of our names', [...github, tool('execute_tool')], {}],
    ['a request that forces a tool', github, { tool_choice: { type: 'function', function: { name: 'github__do_1' } } }],
    ['a request that wants several answers', github, { n: 2 }],
  ])('are all of them for %s', (_, tools, more) => {
    expect(choose(request(tools, undefined, more), { selection: 'meta' })).toBeUndefined()
  })

  it('more tools than the provider takes are selected, too', () => {
    const many = Array.from({ length: 140 }, (_, at) => tool(`jira__do_${at}`))
    expect(choose(request([...own, ...many]), { selection: 'meta' })?.listed).toEqual(['read_file', 'run'])
  })
})

describe('what is told of the others', () => {
  it('counts those of each server, and names those of none', () => {
    const names = ['mcp__github__a', 'github__b', 'slack.c', 'weather'].map((name) => ({ name }))
    expect(aboutTools(names)).toBe('There are 4: github (2), slack (1), weather.')
  })

  it('is short however many there are', () => {
    const names = Array.from({ length: 900 }, (_, at) => ({ name: `server_with_a_long_name_${at}__tool` }))
    expect(aboutTools(names).length).toBeLessThan(450)
    expect(aboutTools(names)).toMatch(/^There are 900: .*, …\.$/)
  })

  it.each([
    ['mcp__claude_ai_Gmail__search', 'claude_ai_Gmail'],
    ['github::create_issue', 'github'],
    ['read_file', undefined],
    ['__private', undefined],
    ['TodoWrite', undefined],
  ])('the server of %s is %s', (name, server) => expect(serverOf(name)).toBe(server))
})
