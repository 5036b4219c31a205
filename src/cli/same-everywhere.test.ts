import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Manifest } from '../core/index.ts'
import { onlyUpstream, openGateway, parseConfig } from '../gateway/index.ts'
import { openSession } from '../index.ts'
import { fetchUpstream, simulatedProvider } from '../providers/index.ts'
import { memoryStore } from '../stores/index.ts'
import { fakeIo } from './fake-io.fixture.ts'
import { runCli } from './run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-same-'))
afterAll(() => rmSync(folder, { recursive: true }))

const schema = { type: 'object', properties: { path: { type: 'string' } } }
const listing = Array.from({ length: 300 }, (_, line) => `src/file-${line}.ts`).join('\n')

const openai = {
  model: 'gpt-5.1',
  max_completion_tokens: 500,
  tools: [{ type: 'function', function: { name: 'ls', description: 'Lists files.', parameters: schema } }],
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', name: 'ada', content: 'List the files.' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'ls', arguments: '{"path":"."}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: listing },
  ],
}

const anthropic = {
  model: 'claude-sonnet-4-6',
  max_tokens: 500,
  tools: [{ name: 'ls', description: 'Lists files.', input_schema: schema }],
  system: 'Be brief.',
  messages: [
    { role: 'user', content: 'List the files.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'ls', input: { path: '.' } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: listing }] },
  ],
}

interface Counted {
  readonly overheadTokens: number
  readonly originalTokens: number
  readonly packTokens: number
}

function counted({ overheadTokens, originalTokens, packTokens }: Manifest): Counted {
  return { overheadTokens, originalTokens, packTokens }
}

async function byCommand(body: object) {
  const [manifest, output] = [join(folder, 'manifest.json'), join(folder, 'body.json')]
  const io = fakeIo({ input: JSON.stringify(body) })
  await runCli(
    ['compile', '-', '--policy', policy, '--data', join(folder, 'data'), '--manifest', manifest, '--output', output],
    io,
  )
  return { ...counted(JSON.parse(readFileSync(manifest, 'utf8'))), sent: readFileSync(output, 'utf8') }
}

/** Offers no tool in so short a request: a command has nobody to follow handles. */
const policy = 'careful'

async function byGateway(path: string, body: object) {
  const provider = simulatedProvider({ script: () => 'done' })
  const upstream = fetchUpstream({ name: 's', origin: 'http://simulated', fetch: provider.fetch })
  const store = memoryStore()
  const gateway = await openGateway(parseConfig({ port: 0, policy }), {
    store,
    upstreams: onlyUpstream(upstream),
  })
  const post = (to: string): Promise<Response> =>
    fetch(gateway.url + to, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'authorization': 'Bearer k', 'x-api-key': 'k' },
      body: JSON.stringify(body),
    })
  const compiled = (await (await post('/v1/compile')).json()) as { readonly manifest: Manifest }
  const response = await post(path)
  await response.text()
  const receipt = await store.read('receipts').get('default', response.headers.get('x-prehend-request-id') ?? '')
  await gateway.close(0)
  return {
    route: counted(compiled.manifest),
    sent: { ...counted(receipt!.manifest), sent: provider.requests[0]?.body },
  }
}

describe.each([
  ['OpenAI', '/v1/chat/completions', openai],
  ['Anthropic', '/v1/messages', anthropic],
])('a body of %s', (_, path, body) => {
  it('costs the same and becomes the same by gateway, route, command and library', async () => {
    const { route, sent } = await byGateway(path, body)
    const packed = await openSession({ policy }).pack(body)
    expect(await byCommand(body)).toEqual(sent)
    expect({ ...counted(packed.receipt!.manifest), sent: packed.body }).toEqual(sent)
    const { sent: _sent, ...counts } = sent
    expect(route).toEqual(counts)
    expect(counts.overheadTokens).toBeGreaterThan(50)
  })
})
