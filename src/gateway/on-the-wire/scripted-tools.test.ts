import { afterEach, expect, it } from 'vitest'
import { scriptFrom } from '../../providers/index.ts'
import { manyTools, smallAgents } from './many-tools.fixture.ts'
import { closeTestGateways, testGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const tools = manyTools(46)
const selecting = [{ extends: 'careful', id: 'found', version: '1.0.0', tools: { selection: 'meta' as const } }]
const config = { policy: 'found', policies: selecting }
const wanted = { title: 'It breaks' }
const steps = [
  { say: 'I file it.', do: [{ call: 'mcp__github__create_issue', arguments: wanted }] },
  { do: [{ call: 'read_file', arguments: { path: 'a.txt' } }] },
  { say: 'All done.' },
]
const ways = smallAgents.flatMap((agent) => [true, false].map((stream) => ({ name: agent.name, agent, stream })))

it.each(ways)(
  'a script calls a tool that the request leaves to be found ($name, stream $stream)',
  async ({ agent, stream }) => {
    const told: string[] = []
    const script = scriptFrom({ schema: 'prehend.script/1', steps }, undefined, {
      tellLeftOut: (sentence) => told.push(sentence),
    })
    const gateway = await testGateway({ config, script })
    const run = ({ name }: { readonly name: string }): string => `did ${name}`
    const { calls, text } = await agent.work({ url: gateway.url, tools, prompt: 'File the bug.', stream, run })
    expect(calls).toEqual([
      { name: 'mcp__github__create_issue', arguments: wanted },
      { name: 'read_file', arguments: { path: 'a.txt' } },
    ])
    expect(text).toBe('All done.')
    expect(told).toEqual([])
    expect(gateway.provider.requests).toHaveLength(3)
  },
)
