import { afterEach, describe, expect, it } from 'vitest'
import { manyTools } from './many-tools.fixture.ts'
import { closeTestGateways, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const tools = manyTools(46)
const tooFew = tools.slice(0, 3)
const messages = [{ role: 'user', content: 'Hello.' }]
const selecting = [{ extends: 'careful', id: 'found', version: '1.0.0', tools: { selection: 'meta' as const } }]
const config = { policy: 'found', policies: selecting }

const dialects = {
  '/v1/chat/completions': (of: typeof tools) => ({
    model: 'gpt-5.1',
    messages,
    tools: of.map(({ name, description, schema: parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    })),
  }),
  '/v1/messages': (of: typeof tools) => ({
    model: 'claude-sonnet-4-5',
    max_tokens: 100,
    messages,
    tools: of.map(({ name, description, schema: input_schema }) => ({ name, description, input_schema })),
  }),
}

async function send(gateway: TestGateway, path: keyof typeof dialects, more: object, of = tools): Promise<Headers> {
  const headers = {
    'content-type': 'application/json',
    'authorization': 'Bearer k',
    'x-session-id': 'chat',
    'anthropic-version': '2023-06-01',
  }
  const body = JSON.stringify({ ...dialects[path](of), ...more })
  const reply = await fetch(`${gateway.url}${path}`, { method: 'POST', headers, body })
  expect([reply.status, reply.ok ? '' : await reply.text()]).toEqual([200, ''])
  await reply.arrayBuffer()
  return reply.headers
}

describe.each(Object.keys(dialects) as (keyof typeof dialects)[])('x-prehend-tools, %s', (path) => {
  it.each([false, true])('says how many tools of the client the request defines (stream %s)', async (stream) => {
    const gateway = await testGateway({ config })
    expect((await send(gateway, path, { stream })).get('x-prehend-tools')).toBe('3 of 46 defined')
  })

  it('says that all stand where a selection is asked for and every tool is core', async () => {
    const gateway = await testGateway({ config })
    expect((await send(gateway, path, {}, tooFew)).get('x-prehend-tools')).toBe('3 of 3 defined')
    const none = { prehend: { settings: { tools_own_tools: 0 } } }
    expect((await send(gateway, path, none, tools)).get('x-prehend-tools')).toBe('0 of 46 defined')
  })

  it('is absent where the request defines all of them', async () => {
    const gateway = await testGateway({ config })
    const auto = { prehend: { settings: { tools_selection: 'auto' } } }
    expect((await send(gateway, path, auto, tooFew)).get('x-prehend-tools')).toBeNull()
    const off = { prehend: { settings: { tools_selection: 'off' } } }
    expect((await send(gateway, path, off)).get('x-prehend-tools')).toBeNull()
    expect((await send(gateway, path, { prehend: { mode: 'observe' } })).get('x-prehend-tools')).toBeNull()
  })
})
