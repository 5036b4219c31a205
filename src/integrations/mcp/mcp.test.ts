import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tool } from '../../core/index.ts'
import { compile, openSession, toRequest } from '../../sessions/index.ts'
import { memoryStore } from '../../stores/index.ts'
import { fileText } from '../file-work.fixture.ts'
import { mcpRehydrate, mcpText, mcpTools, mcpToolUse } from './index.ts'

const store = memoryStore()
const rehydrate = mcpRehydrate({ store })
const png = 'iVBORw0KGgo='

const docks = {
  docks: [
    { name: 'A', tide: 'low' },
    { name: 'B', tide: 'high\nsay "wet"' },
  ],
}
const docksText = JSON.stringify(docks)

const answers: Readonly<Record<string, CallToolResult>> = {
  words: {
    content: [
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two' },
    ],
  },
  fails: { content: [{ type: 'text', text: 'ENOENT: no such file' }], isError: true },
  structured: { content: [], structuredContent: { temperature: 21.5 } },
  repeated: { content: [{ type: 'text', text: '{"temperature":21.5}' }], structuredContent: { temperature: 21.5 } },
  sentence: { content: [{ type: 'text', text: 'Found 2 docks.' }], structuredContent: docks },
  summed: { content: [{ type: 'text', text: 'tide: low' }], structuredContent: docks },
  laidOut: { content: [{ type: 'text', text: '| A | low |\n| B | high\nsay "wet" |' }], structuredContent: docks },
  elements: {
    content: docks.docks.map((dock) => ({ type: 'text', text: JSON.stringify(dock) })),
    structuredContent: docks,
  },
  signed: { content: [{ type: 'text', text: 'It is 3 degrees.' }], structuredContent: { degrees: -3 } },
  picture: {
    content: [
      { type: 'text', text: 'A picture.' },
      { type: 'image', data: png, mimeType: 'image/png' },
    ],
  },
  resources: {
    content: [
      { type: 'resource_link', uri: 'file:///a.txt', name: 'a.txt', description: 'the first' },
      { type: 'resource', resource: { uri: 'file:///b.txt', text: 'b' } },
      { type: 'resource', resource: { uri: 'file:///c.pdf', mimeType: 'application/pdf', blob: png } },
    ],
  },
  people: {
    content: [
      { type: 'text', text: 'for both', annotations: { audience: ['user', 'assistant'] } },
      { type: 'text', text: 'for people', annotations: { audience: ['user'] } },
    ],
  },
}

const server = new Server({ name: 'desk', version: '1.0.0' }, { capabilities: { tools: {} } })
server.setRequestHandler(ListToolsRequestSchema, () => {
  const schema = { type: 'object' as const, properties: { at: { type: 'string' } }, required: ['at'] }
  return {
    tools: [
      rehydrate.tool,
      { name: 'words', description: 'Says words.', inputSchema: schema },
      { name: 'bare', inputSchema: schema },
    ],
  }
})
server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
  return answers[params.name] ?? rehydrate.call(params.arguments)
})
const client = new Client({ name: 'host', version: '1.0.0' })

beforeAll(async () => {
  const [here, there] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(there), client.connect(here)])
})
afterAll(() => client.close())

/** With the type that the protocol's SDK gives it. */
const called = (name: string, input: Record<string, unknown> = {}) => client.callTool({ name, arguments: input })

it('the tools of a listing are those of a request, with their schemas', async () => {
  const definitions = mcpTools(await client.listTools())
  expect(definitions.map(({ name, description }) => [name, description.slice(0, 11)])).toEqual([
    ['rehydrate', 'Shows text '],
    ['words', 'Says words.'],
    ['bare', ''],
  ])
  const items = definitions.map((definition) => tool(definition))
  const { pack } = compile({ items, budget: { windowTokens: 8000 }, frame: { request: 'Go on.' } })
  const { request } = toRequest(pack!, { items, model: 'claude-sonnet-5', maxOutputTokens: 500 })
  const inOrder = definitions.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  expect(request['tools']).toMatchObject(inOrder.map(({ name, schema }) => ({ name, input_schema: schema })))
})

it.each([
  ['words', 'one\ntwo', 'ok'],
  ['fails', 'ENOENT: no such file', 'error'],
  ['structured', '{"temperature":21.5}', 'ok'],
  ['repeated', '{"temperature":21.5}', 'ok'],
  ['sentence', `Found 2 docks.\n${docksText}`, 'ok'],
  ['summed', docksText, 'ok'],
  ['laidOut', '| A | low |\n| B | high\nsay "wet" |', 'ok'],
  ['elements', docks.docks.map((dock) => JSON.stringify(dock)).join('\n'), 'ok'],
  ['signed', 'It is 3 degrees.\n{"degrees":-3}', 'ok'],
  ['picture', 'A picture.', 'ok'],
  ['resources', 'a.txt: file:///a.txt (the first)\nfile:///b.txt:\nb', 'ok'],
  ['people', 'for both', 'ok'],
])('what a tool answers is a result in words, beside its call: %s', async (name, text, status) => {
  const result = await called(name)
  const [call, answer] = mcpToolUse({ id: 'c1', name, arguments: { at: 'x' } }, result)
  expect(mcpText(result)).toBe(text)
  expect(call).toMatchObject({ kind: 'tool-call', text: '{"at":"x"}', toolName: name, toolCallId: 'c1', group: 'c1' })
  expect(answer).toMatchObject({ kind: 'tool-result', text, status, toolName: name, toolCallId: 'c1', group: 'c1' })
})

it('a result of the protocol of 2024 is one, and what is no result is refused', () => {
  const call = { id: 'c1', name: 'old' }
  expect(mcpText({ toolResult: 'done' })).toBe('done')
  expect(mcpToolUse(call, { toolResult: { rows: 3 } })[1]).toMatchObject({ text: '{"rows":3}', status: 'ok' })
  for (const other of [undefined, null, 5, 'x', {}, { content: 'x' }, { toolResult: 1n }])
    expect(() => mcpToolUse(call, other as never)).toThrow(/^result/)
})

it('pictures and files stand beside the words, each with what is known of it, and go where the result goes', async () => {
  const [, , picture] = mcpToolUse({ id: 'c1', name: 'picture' }, await called('picture'))
  const [, , file, ...others] = mcpToolUse({ id: 'c2', name: 'resources' }, await called('resources'))
  expect(picture).toMatchObject({
    kind: 'media',
    group: 'c1',
    media: { type: 'image', mimeType: 'image/png', sizeBytes: 8 },
  })
  expect(file).toMatchObject({ kind: 'media', group: 'c2', media: { type: 'document', mimeType: 'application/pdf' } })
  expect(others).toEqual([])
})

it('items of a conversation are compiled, and one that failed is shown in full', async () => {
  const long: CallToolResult = { content: [{ type: 'text', text: fileText('src/a.ts') }] }
  const items = [
    ...mcpToolUse({ id: 'c1', name: 'words' }, long),
    ...mcpToolUse({ id: 'c2', name: 'fails' }, await called('fails')),
  ]
  const { pack } = compile({ items, budget: { windowTokens: 3000 }, frame: { request: 'Go on.' } })
  const shown = JSON.stringify(pack)
  expect(shown).toContain('ENOENT: no such file')
  expect(shown).not.toContain('line 199')
})

/** A conversation of which a session has left something out, once the provider's cache was cold, and a handle of that. */
async function folded() {
  let now = Date.UTC(2026, 10, 22)
  const session = openSession({ store, policy: 'thrifty', id: 'desk-1', clock: () => now })
  const tools = [{ name: 'read_file', input_schema: { type: 'object' } }]
  const messages: object[] = [{ role: 'user', content: 'Read all files.' }]
  let body = ''
  for (let file = 1; file < 9; file += 1) {
    const packed = await session.pack({ model: 'claude-sonnet-4-5', max_tokens: 500, tools, messages })
    body = packed.body
    const [id, path] = [`toolu_${file}`, `src/file-${file}.ts`]
    const reply = { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read_file', input: { path } }] }
    await packed.answered({ type: 'message', stop_reason: 'tool_use', ...reply })
    const content = [{ type: 'tool_result', tool_use_id: id, content: fileText(path) }]
    messages.push(reply, { role: 'user', content })
    now += 3_600_000
  }
  const ask = async () => (await session.pack({ model: 'claude-sonnet-4-5', max_tokens: 500, tools, messages })).request
  return { handle: /rehydrate\(\\+"(\w+)/.exec(body)?.[1] ?? '', messages, ask }
}

it('P-070: a server of the protocol brings back what a session has left out, and of that session only', async () => {
  const { handle } = await folded()
  const whole = await called('rehydrate', { handle })
  expect(mcpText(whole)).toBe(fileText('src/file-1.ts'))
  expect(mcpText(await called('rehydrate', { handle, lines: '1-2' }))).toBe(
    fileText('src/file-1.ts').split('\n').slice(0, 2).join('\n'),
  )
  expect((await mcpRehydrate({ store, session: 'desk-1' }).call({ handle })).isError).toBe(false)
  expect((await mcpRehydrate({ store, session: 'desk-2' }).call({ handle })).isError).toBe(true)
  expect((await mcpRehydrate({ store, tenant: 'other' }).call({ handle })).isError).toBe(true)
})

it('a host that answers calls of rehydrate by the protocol itself has the exchange in its own conversation', async () => {
  const { handle, messages, ask } = await folded()
  const call = { type: 'tool_use', id: 'toolu_r', name: 'rehydrate', input: { handle } }
  const content = mcpText(await called('rehydrate', { handle }))
  messages.push({ role: 'assistant', content: [call] })
  messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_r', content }] })
  const request = await ask()
  expect(request.tools).toMatchObject([{ name: 'read_file' }, { name: 'rehydrate' }])
  expect(request.messages.slice(-2)).toMatchObject([
    { content: [call] },
    { content: [{ content: fileText('src/file-1.ts') }] },
  ])
})

it('a picture comes back as a picture, and a file as where it is', async () => {
  const scope = { tenant: 'default', session: 'pictures', lane: 'lane' }
  const at = [
    ['482915037114', `data:image/png;base64,${png}`],
    ['482915037115', 'https://example.org/a.png'],
  ] as const
  const originals = at.map(([handle, text]) => ({ handle, text, kind: 'media' as const }))
  await store.commit({
    scope,
    nowMs: 0,
    expectVersion: 0,
    writes: [
      { table: 'sessions', ledger: null },
      { table: 'originals', originals },
    ],
  })
  const [shown, named] = await Promise.all(at.map(([handle]) => rehydrate.call({ handle })))
  expect(shown?.content.at(-1)).toEqual({ type: 'image', data: png, mimeType: 'image/png' })
  expect(named?.content.at(-1)).toEqual({ type: 'text', text: 'https://example.org/a.png' })
})

it('a call without a handle, or with one that nobody knows, is answered with what to do', async () => {
  for (const input of [{}, { handle: 'deadbeef' }]) {
    const result = await called('rehydrate', input)
    expect([result.isError, mcpText(result).length > 20]).toEqual([true, true])
  }
})
