import { describe, expect, it } from 'vitest'
import { careful } from '../../compiler/index.ts'
import { openSession } from './open-session.ts'

const tools = Array.from({ length: 40 }, (_, at) => ({
  name: `mcp__server${at % 4}__thing_${at}`,
  description: `Does thing ${at}.`,
  input_schema: { type: 'object', properties: { of: { type: 'string' } }, required: ['of'] },
}))
const asked = (messages: readonly object[]): object => ({
  model: 'claude-sonnet-4-5',
  max_tokens: 100,
  tools,
  messages,
})
const first = { role: 'user', content: 'Do thing 7.' }
const called = (name: string, input: object) => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'tool_use', id: 'toolu_1', name, input }],
  stop_reason: 'tool_use',
  usage: { input_tokens: 1, output_tokens: 1 },
})
const namesIn = (request: object): readonly string[] =>
  (request as { readonly tools: readonly { readonly name: string }[] }).tools.map(({ name }) => name)

describe('a session in process whose policy selects tools', () => {
  it('sends few, answers a search, and gives its caller calls of its own tools', async () => {
    const session = openSession({ policy: { ...careful, id: 'found', tools: { selection: 'meta', deferred: false } } })
    const packed = await session.pack(asked([first]))
    expect(namesIn(packed.request)).toEqual(['search_tools', 'get_tool_schema', 'execute_tool'])
    const next = await packed.next(called('search_tools', { query: 'thing 7' }))
    expect(JSON.stringify(next)).toContain('mcp__server3__thing_7(of: string): Does thing 7.')
    const reply = called('execute_tool', { toolName: 'mcp__server3__thing_7', params: { of: 'x' } })
    expect(await packed.next(reply)).toBeUndefined()
    const given = await packed.answered(reply)
    expect(given.content).toEqual([
      { type: 'tool_use', id: 'toolu_1', name: 'mcp__server3__thing_7', input: { of: 'x' } },
    ])
    const answer = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'done' }] }
    const later = await session.pack(asked([first, { role: 'assistant', content: given.content }, answer]))
    expect(namesIn(later.request)).toEqual(namesIn(packed.request))
    const { messages } = later.request as { readonly messages: readonly object[] }
    expect(messages).toHaveLength(5)
    expect(JSON.stringify(messages[3])).toContain(JSON.stringify(reply.content[0]))
    await session.close()
  })

  it('sends all of them where nothing selects', async () => {
    const session = openSession({ policy: careful })
    expect(namesIn((await session.pack(asked([first]))).request)).toHaveLength(40)
    await session.close()
  })
})
