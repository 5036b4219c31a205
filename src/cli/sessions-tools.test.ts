import { afterAll, beforeAll, expect, it } from 'vitest'
import { openGateway, parseConfig } from '../gateway/index.ts'
import type { Gateway } from '../gateway/index.ts'
import { memoryStore } from '../stores/index.ts'
import { fakeIo } from './fake-io.fixture.ts'
import { runCli } from './run-cli.ts'

const selecting = [{ extends: 'careful', id: 'found', version: '1.0.0', tools: { selection: 'meta' as const } }]
let gateway: Gateway

beforeAll(async () => {
  const config = parseConfig({ port: 0, policy: 'found', policies: selecting })
  gateway = await openGateway(config, { store: memoryStore() })
})
afterAll(() => gateway.close(0))

async function ask(session: string, count: number): Promise<void> {
  const parameters = { type: 'object', properties: { title: { type: 'string' } } }
  const tools = Array.from({ length: count }, (_, at) => ({
    type: 'function',
    function: { name: `desk__tool_${at}`, description: 'Does what its number says.', parameters },
  }))
  const body = JSON.stringify({ model: 'gpt-4o', tools, messages: [{ role: 'user', content: 'Hello.' }] })
  const headers = { 'content-type': 'application/json', 'x-session-id': session }
  const reply = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body })
  expect([reply.status, (await reply.text()).includes('You said')]).toEqual([200, true])
}

it('prehend sessions says that tools were left out where nothing else was shortened', async () => {
  await ask('chat', 46)
  const io = fakeIo({ columns: 200 })
  expect(await runCli(['sessions', '--url', gateway.url], io)).toBe(0)
  expect(io.written.out).toMatch(/^chat .* nothing-long, tools 0 of 46$/m)
  expect(io.written.out).toContain('the newest request defines N of the M tools of the client')
  const json = fakeIo({ columns: 80 })
  expect(await runCli(['sessions', 'chat', '--json', '--url', gateway.url], json)).toBe(0)
  expect(JSON.parse(json.written.out)).toMatchObject({ sessions: [{ leftTools: { tools: 46, left: 46 } }] })
})
