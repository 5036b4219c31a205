import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { VersionNegotiationMode } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openGateway, parseConfig } from '../../gateway/index.ts'
import type { Gateway } from '../../gateway/index.ts'
import { putArtifact } from '../../sessions/index.ts'
import { memoryBlobs, memoryStore } from '../../stores/index.ts'

const main = join(import.meta.dirname, '../main.ts')
const store = memoryStore()
const blobs = memoryBlobs()
const events: string[] = []
const clients: Client[] = []
let gateway: Gateway
let http: ChildProcess
let httpUrl = ''

const tokens = ['default', 'rival'].map((tenant) => ({ token: `token-of-${tenant}`, tenant, name: tenant }))
const longText = Array.from({ length: 9000 }, (_, at) => `line ${at + 1} of a long original text`).join('\n')

const slow = {
  name: 'slow',
  description: 'Waits for ever.',
  timeout: 'slow' as const,
  run: (_: object, { signal }: { readonly signal: AbortSignal }) =>
    new Promise<string>((done) => {
      events.push('begun')
      signal.addEventListener('abort', () => {
        events.push('ended')
        done('ended')
      })
    }),
}
const greet = {
  name: 'greet',
  description: 'Greets somebody by name.',
  inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  run: ({ name }: { readonly name?: unknown }) => `Hello ${String(name)}`,
}

beforeAll(async () => {
  gateway = await openGateway(parseConfig({ port: 0, tokens }), { store, blobs, tools: [greet, slow] })
  await store.commit({
    scope: { tenant: 'default', session: 's1', lane: '' },
    nowMs: Date.now(),
    expectVersion: 0,
    writes: [
      { table: 'sessions', ledger: null },
      { table: 'originals', originals: [{ handle: '482915037114', text: longText, kind: 'text' }] },
    ],
  })
  const bytes = new TextEncoder().encode('the words of an artifact')
  const uri = 'tasks/42/step-1/report.md'
  await putArtifact({ store, blobs, clock: Date.now }, { tenant: 'default', uri, bytes, mediaType: 'text/markdown' })
  const argv = [
    main,
    'mcp',
    '--http',
    '0',
    '--json',
    '--url',
    gateway.url,
    '--token',
    'token-of-default',
    '--session',
    's1',
  ]
  http = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: http.stdout! })) {
    httpUrl = (JSON.parse(line) as { url: string }).url
    break
  }
})

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close().catch(() => undefined)
})

afterAll(async () => {
  http.kill()
  await gateway.close(0)
  await store.close()
})

type Way = 'stdio' | 'http'

async function connected(way: Way, mode: VersionNegotiationMode, token = 'token-of-default'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const args = [main, 'mcp', '--url', gateway.url, '--token', token, '--session', 's1']
  await client.connect(
    way === 'stdio'
      ? new StdioClientTransport({ command: process.execPath, args })
      : new StreamableHTTPClientTransport(new URL(httpUrl), {
          requestInit: { headers: { authorization: `Bearer ${token}` } },
        }),
  )
  clients.push(client)
  return client
}

const waiting = { name: 'execute_tool', arguments: { toolName: 'slow', params: {} } }
const wait = { timeout: 10_000 }

const textOf = (answer: unknown) => (answer as { content: { text: string }[] }).content.map(({ text }) => text).join('')

describe.each<[Way, VersionNegotiationMode]>([
  ['stdio', 'legacy'],
  ['stdio', 'auto'],
  ['http', 'legacy'],
  ['http', 'auto'],
])('M-11: prehend mcp over %s, for a client of the era %s', (way, mode) => {
  it('has four tools, and finds, shows and calls those of the gateway', async () => {
    const client = await connected(way, mode)
    expect(client.getNegotiatedProtocolVersion()).toMatch(mode === 'auto' ? /^2026/ : /^2025/)
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(names).toEqual(['search_tools', 'get_tool_schema', 'execute_tool', 'rehydrate'])
    const call = (name: string, given: Record<string, unknown>) => client.callTool({ name, arguments: given })
    expect(textOf(await call('search_tools', { query: 'greet somebody' }))).toBe(
      'greet(name: string): Greets somebody by name.',
    )
    expect(JSON.parse(textOf(await call('get_tool_schema', { toolName: 'greet' })))).toMatchObject({
      name: 'greet',
      inputSchema: greet.inputSchema,
    })
    expect(textOf(await call('execute_tool', { toolName: 'greet', params: { name: 'Ada' } }))).toBe('Hello Ada')
    const wrong = await call('execute_tool', { toolName: 'greet', params: {} })
    expect([wrong.isError, textOf(wrong)]).toEqual([true, expect.stringContaining('`name` must be given')])
    expect(textOf(await call('execute_tool', { toolName: 'greets', params: {} }))).toContain('no such tool')
    expect(textOf(await call('execute_tool', { toolName: 'greet' }))).toContain('`params` must be given')
    expect(textOf(await call('greet', { name: 'Ada' }))).toContain('execute_tool')
  })

  it('brings back what was left out, in pages of at most 25,000 tokens, and of its own tenant alone', async () => {
    const client = await connected(way, mode)
    const first = textOf(await client.callTool({ name: 'rehydrate', arguments: { handle: '482915037114' } }))
    expect(first.length).toBeGreaterThan(20_000)
    expect(first.length).toBeLessThan(250_000)
    const part = await client.callTool({ name: 'rehydrate', arguments: { handle: '482915037114', lines: '8999-9000' } })
    expect(textOf(part)).toBe(longText.split('\n').slice(-2).join('\n'))
    const rival = await connected(way, mode, 'token-of-rival')
    const none = await rival.callTool({ name: 'rehydrate', arguments: { handle: '482915037114' } })
    expect(none.isError).toBe(true)
    expect(textOf(none)).not.toContain('line 1 of')
  })

  it('has artifacts and the outline of the session as resources', async () => {
    const client = await connected(way, mode)
    const uri = 'artifact://tasks/42/step-1/report.md'
    expect((await client.listResources()).resources.map((one) => one.uri)).toEqual([
      'prehend://sessions/s1/outline',
      uri,
    ])
    expect((await client.readResource({ uri })).contents).toMatchObject([
      { mimeType: 'text/markdown', text: 'the words of an artifact' },
    ])
    await expect(client.readResource({ uri: 'artifact://tasks/42/step-1/absent.md' })).rejects.toThrow(/not found/i)
    const rival = await connected(way, mode, 'token-of-rival')
    expect((await rival.listResources()).resources.map((one) => one.uri)).not.toContain(uri)
    await expect(rival.readResource({ uri })).rejects.toThrow(/not found/i)
  })

  // A server of 2025 over HTTP that keeps no sessions cannot tell which request a notice of cancellation means.
  it.runIf(way === 'stdio' || mode === 'auto')('a call that is cancelled ends in the gateway', async () => {
    events.length = 0
    const client = await connected(way, mode)
    const over = new AbortController()
    const cancelled = client.callTool(waiting, { signal: over.signal }).catch(() => 'cancelled')
    await expect.poll(() => events, wait).toEqual(['begun'])
    over.abort()
    expect(await cancelled).toBe('cancelled')
    await expect.poll(() => events, wait).toEqual(['begun', 'ended'])
  })

  it('a call whose client vanishes ends in the gateway', async () => {
    events.length = 0
    const client = await connected(way, mode)
    const lost = client.callTool(waiting).catch(() => 'lost')
    await expect.poll(() => events, wait).toEqual(['begun'])
    await client.close()
    expect(await lost).toBe('lost')
    await expect.poll(() => events, wait).toEqual(['begun', 'ended'])
  })
})

it('over HTTP, pages of other origins and names of other hosts are refused', async () => {
  const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
  const headers = { 'content-type': 'application/json', 'accept': 'application/json, text/event-stream' }
  const from = (more: Record<string, string>) =>
    fetch(httpUrl, { method: 'POST', headers: { ...headers, ...more }, body })
  expect((await from({ origin: 'https://evil.example' })).status).toBe(403)
  expect((await from({})).status).toBe(200)
})
