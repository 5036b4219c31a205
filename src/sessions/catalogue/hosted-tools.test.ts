import { expect, it } from 'vitest'
import { codecFor } from '../../codecs/index.ts'
import { nothingLearnt, searchAnswer } from '../../tools/index.ts'
import { besideClient, hostedToolOf, withHostedUses } from './hosted-tools.ts'
import type { HostedTool } from './hosted-tools.ts'

const schema = { type: 'object' }
const hosted = (server: string, name: string, more: Partial<HostedTool> = {}): HostedTool => ({
  id: `${server}::${name}`,
  server,
  definition: { name, description: 'Reads a page of the manual.', schema },
  ...more,
})

function client(...names: readonly string[]) {
  const tools = names.map((name) => ({ name, description: '', input_schema: schema }))
  const body = { model: 'm', max_tokens: 9, tools, messages: [{ role: 'user', content: 'hi' }] }
  return codecFor('anthropic-messages').decode({ body: JSON.stringify(body) })
}

const namesOf = (tools: readonly HostedTool[]): readonly string[] => tools.map(({ definition: { name } }) => name)

it('a tool of the client keeps its name, whatever names the host has', () => {
  const tools = [hosted('docs', 'read'), hosted('docs', 'docs__read'), hosted('my.docs', 'x'.repeat(64))]
  const beside = besideClient(tools, client('read', 'x'.repeat(64)))
  expect(namesOf(beside)).toEqual(['docs__read_2', 'docs__read', `my_docs__${'x'.repeat(55)}`])
  expect(besideClient(tools, client('read', 'x'.repeat(64)))[0]).toBe(beside[0])
  expect(namesOf(besideClient(tools, client()))).toEqual(namesOf(tools))
})

it('a tool that is offered by name is found only where the client has its name', () => {
  const offered = hosted('docs', 'read', { isOffered: true })
  expect(besideClient([offered], client('write'))).toEqual([])
  expect(namesOf(besideClient([offered], client('read')))).toEqual(['docs__read'])
})

it('a call by execute_tool names a tool by what it is called here, or by its id', () => {
  const tools = [hosted('docs', 'read')]
  const calling = (toolName: string, name = 'execute_tool') =>
    hostedToolOf({ name, arguments: JSON.stringify({ toolName, params: {} }) }, tools)?.id
  expect([calling('read'), calling('docs::read'), calling('docs__read')]).toEqual([
    'docs::read',
    'docs::read',
    undefined,
  ])
  expect(calling('read', 'read')).toBeUndefined()
})

it('C-020: of two tools that fit alike, the one that models call comes first', () => {
  const tools = [hosted('a', 'page_one'), hosted('b', 'page_two')]
  const first = (uses: Parameters<typeof withHostedUses>[2]): string | undefined => {
    const definitions = tools.map(({ definition }) => definition)
    return searchAnswer(definitions, '{"query":"page of the manual"}', {
      learnt: withHostedUses(nothingLearnt, tools, uses),
    }).names[0]
  }
  const [liked, ignored] = [
    { offered: 20, called: 18 },
    { offered: 20, called: 0 },
  ]
  expect(first({ 'a::page_one': liked, 'b::page_two': ignored })).toBe('page_one')
  expect(first({ 'a::page_one': ignored, 'b::page_two': liked })).toBe('page_two')
})
