import { afterEach, describe, expect, it } from 'vitest'
import type { ScriptEntry, SimulatedRequest } from '../../providers/index.ts'
import { manyTools, smallAgents } from './many-tools.fixture.ts'
import type { RunCall, SmallAgent } from './many-tools.fixture.ts'
import { closeTestGateways, testGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const tools = manyTools(120)
const wanted = { title: 'It "breaks"', body: 'line 1\nline 2 é' }
const policies = [{ extends: 'careful', id: 'found', version: '1.0.0', tools: { selection: 'meta' as const } }]
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

function sentIn({ body }: SimulatedRequest): Sent {
  const json = JSON.parse(body) as Record<string, unknown>
  const listed = (json['tools'] as Record<string, unknown>[]).flatMap(
    (tool) => (tool['functionDeclarations'] as Record<string, unknown>[]) ?? [tool['function'] ?? tool],
  ) as { name: string }[]
  return {
    names: listed.map(({ name }) => name),
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
      for (const { names } of sent)
        expect(names).toEqual(['read_file', 'write_file', 'run', 'execute_tool', 'get_tool_schema', 'search_tools'])
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

/** Marks for a provider's cache move with the end of a request. */
function withoutMarks(messages: readonly unknown[]): unknown {
  return JSON.parse(JSON.stringify(messages), (key, value: unknown) => (key === 'cache_control' ? undefined : value))
}

export type { SmallAgent }
