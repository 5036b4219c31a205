import { describe, expect, it } from 'vitest'
import { codecFor } from '../../codecs/index.ts'
import type { WireExchange } from '../../core/index.ts'
import type { ToolUseChange } from '../../stores/index.ts'
import { nothingLearnt } from '../../tools/index.ts'
import { liveState } from '../live-state.ts'
import { learntFrom } from './learn-tools.ts'

const tools = Array.from({ length: 30 }, (_, at) => ({
  name: `t${at}`,
  description: `Does thing ${at}.`,
  input_schema: { type: 'object' },
}))
const say = (content: string) => ({ role: 'user', content })
const call = (id: string, name: string, isFailed = false) => [
  { role: 'assistant', content: [{ type: 'tool_use', id, name, input: { of: id } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: `of ${id}`, is_error: isFailed }] },
]

function request(messages: readonly object[], count = tools.length): WireExchange {
  const body = { model: 'claude-sonnet-4-5', max_tokens: 9, tools: tools.slice(0, count), messages }
  return codecFor('anthropic-messages').decode({ body: JSON.stringify(body) })
}

interface Asked {
  readonly last?: WireExchange
  readonly version?: number
  readonly keepsQueries?: boolean
}

/** What a request teaches, by tool, without the counts that are 0. */
function learn(received: WireExchange, { last, version = 0, keepsQueries = true }: Asked = {}) {
  const before = { ...liveState(), version, ...(last && { received: last }) }
  const turn = { before, after: { ...before, received } }
  const changes = learntFrom({ turn, learnt: nothingLearnt, keepsQueries })
  return new Map(changes.map(({ name, ...change }) => [name, withoutZeros(change)]))
}

function withoutZeros(change: Omit<ToolUseChange, 'name'>): object {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== 0))
}

const first = [say('Do the first thing.'), ...call('a', 't1')]

describe('what a request teaches about the tools of a client', () => {
  it('is all of it with the first request of a conversation', () => {
    const told = learn(request(first))
    expect(told.size).toBe(30)
    expect(told.get('t1')).toMatchObject({ called: 1, sessions: 1, calledIn: 1, queries: ['Do the first thing.'] })
    expect(told.get('t2')).toMatchObject({ sessions: 1 })
  })

  it('is what the last request did not say', () => {
    const last = request(first)
    expect(learn(last, { last, version: 1 }).size).toBe(0)
    const later = learn(request([...first, ...call('b', 't2'), ...call('c', 't3', true)]), { last, version: 1 })
    expect(Object.fromEntries(later)).toEqual({
      t2: { called: 1, calledIn: 1, queries: ['Do the first thing.'] },
      t3: { failed: 1 },
    })
  })

  it('counts a tool once for each message of the user', () => {
    const last = request(first)
    const again = [...first, ...call('b', 't1'), ...call('c', 't1')]
    expect(learn(request(again), { last, version: 1 }).size).toBe(0)
    const asked = [...again, say('Do the second thing.'), ...call('d', 't1'), ...call('e', 't1')]
    expect(learn(request(asked), { last: request(again), version: 1 }).get('t1')).toMatchObject({
      called: 1,
      queries: ['Do the second thing.'],
    })
  })

  it('is offered where a new message fits it, and is a tool of the conversation from when the client adds it', () => {
    const last = request(first, 29)
    const told = learn(request([...first, say('Do thing 29.')], 30), { last, version: 1 })
    expect(told.get('t29')).toEqual({ offered: 1, sessions: 1 })
    expect([...told.values()].filter((one) => 'sessions' in one)).toHaveLength(1)
  })

  it('is no more than the last reply where the last request is not known any more', () => {
    const told = learn(request([...first, ...call('b', 't1'), ...call('c', 't2')]), { version: 3 })
    expect(Object.fromEntries(told)).toEqual({ t2: { called: 1, calledIn: 1, queries: ['Do the first thing.'] } })
  })

  it('is no text of users where none may be kept, and nothing of few tools', () => {
    expect(learn(request(first), { keepsQueries: false }).get('t1')).not.toHaveProperty('queries')
    expect(learn(request(first, 19)).size).toBe(0)
  })
})
