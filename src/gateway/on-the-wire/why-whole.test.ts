import { afterEach, describe, expect, it } from 'vitest'
import {
  anHourMs,
  anthropicFixture,
  closeTestGateways,
  longResult,
  openaiFixture,
  post,
  testGateway,
} from './test-gateway.fixture.ts'
import type { DialectFixture, TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const responses: Pick<DialectFixture, 'path' | 'headers'> = {
  path: '/v1/responses',
  headers: { authorization: 'Bearer key' },
}

/** A body of Codex: its tools stand in an input item, and its calls are those of a custom tool. */
function codexBody(results: number): object {
  const exec = { type: 'custom', name: 'exec', description: 'Runs code.' }
  const steps = Array.from({ length: results }, (_, index) => [
    { type: 'custom_tool_call', call_id: `call_${index}`, name: 'exec', input: `read(${index})` },
    { type: 'custom_tool_call_output', call_id: `call_${index}`, output: longResult(index + 1) },
  ])
  const tools = [{ type: 'namespace', name: 'functions', description: '', tools: [exec] }]
  const input = [
    { type: 'additional_tools', role: 'developer', tools },
    { role: 'user', content: 'Find it.' },
  ]
  return { model: 'gpt-6.2-sol', store: false, input: [...input, ...steps.flat()] }
}

interface Seen {
  readonly why: string | null
  readonly saved: number
}

async function send(
  gateway: TestGateway,
  dialect: Pick<DialectFixture, 'path' | 'headers'>,
  body: unknown,
): Promise<Seen> {
  const response = await post(gateway, dialect as DialectFixture, body, { 'x-session-id': 's' })
  expect([response.status, response.ok ? '' : await response.text()]).toEqual([200, ''])
  await response.arrayBuffer()
  const { headers } = response
  return { why: headers.get('x-prehend-why'), saved: Number(headers.get('x-prehend-saved-tokens')) }
}

async function receiptOf(gateway: TestGateway): Promise<{ readonly why?: object }> {
  const list = (await (await fetch(`${gateway.url}/v1/packs?limit=1`)).json()) as { data: { requestId: string }[] }
  return (await (await fetch(`${gateway.url}/v1/packs/${list.data[0]?.requestId}`)).json()) as { why?: object }
}

describe('a client whose tools stand in an input item', () => {
  it('has its old results shortened, with our tool among its own', async () => {
    const gateway = await testGateway()
    await send(gateway, responses, codexBody(7))
    await gateway.clock.advance(anHourMs)
    const { saved, why } = await send(gateway, responses, codexBody(8))
    expect(saved).toBeGreaterThan(10_000)
    expect(why).toBeNull()
    const sent = JSON.parse(gateway.provider.requests.at(-1)?.body ?? '') as { input: { tools?: { name: string }[] }[] }
    expect(sent).not.toHaveProperty('tools')
    expect(sent.input[0]?.tools?.map(({ name }) => name)).toEqual(['functions', 'rehydrate'])
  })
})

describe('why nothing of a request was shortened', () => {
  it('stands in its header and in its receipt, and not where something was', async () => {
    const gateway = await testGateway()
    expect(await send(gateway, openaiFixture, openaiFixture.body(1))).toMatchObject({
      why: 'nothing-old; Every long result is new, failed or among the newest, and these stay whole.',
    })
    expect(await receiptOf(gateway)).toMatchObject({ why: { reason: 'nothing-old' } })
    await send(gateway, openaiFixture, openaiFixture.body(7))
    await gateway.clock.advance(anHourMs)
    expect(await send(gateway, openaiFixture, openaiFixture.body(8))).toMatchObject({ why: null })
    expect(await receiptOf(gateway)).not.toHaveProperty('why')
  })

  const manyTools = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      type: 'function',
      function: { name: at === 0 ? 'read' : `tool_${at}`, parameters: { type: 'object', properties: {} } },
    }))

  it('adds no tool to as many as the provider takes, and its own to one fewer', async () => {
    for (const [count, sent] of [
      [127, 128],
      [128, 128],
    ] as const) {
      const gateway = await testGateway({ config: { policy: 'balanced' } })
      await send(gateway, openaiFixture, openaiFixture.body(7, { tools: manyTools(count) }))
      const body = JSON.parse(gateway.provider.requests.at(-1)!.body) as { tools: unknown[] }
      expect([count, body.tools.length]).toEqual([count, sent])
    }
  })

  const withUserText = {
    messages: [...(openaiFixture.body(1) as { messages: object[] }).messages, { role: 'user', content: longResult(2) }],
  }
  const short = { role: 'user', content: 'Hello.' }
  it.each([
    ['no-tools', openaiFixture.body(7, { tools: undefined })],
    ['tool-choice', openaiFixture.body(7, { tool_choice: 'required' })],
    ['most-tools', openaiFixture.body(7, { tools: manyTools(128) })],
    ['nothing-long', { ...openaiFixture.body(0), messages: [short] }],
    [
      'nothing-long',
      { ...openaiFixture.body(0), messages: [short, { role: 'assistant', content: longResult(1) }, short] },
    ],
    ['only-user-text', { ...openaiFixture.body(0), messages: [{ role: 'user', content: longResult(1) }] }],
    ['nothing-old', { ...openaiFixture.body(1), ...withUserText }],
  ])('%s', async (reason, body) => {
    const gateway = await testGateway()
    expect(String((await send(gateway, openaiFixture, body)).why).split(';')[0]).toBe(reason)
  })

  it('says until when a cache is warm that it would cost more to break', async () => {
    const gateway = await testGateway({ config: { policy: 'careful' } })
    for (const results of [1, 2, 3, 4, 5]) await send(gateway, anthropicFixture, anthropicFixture.body(results))
    const { why } = await send(gateway, anthropicFixture, anthropicFixture.body(6))
    expect(why).toMatch(/^cache-warm; .*until 2026-11-21T00:05:00.000Z\.$/)
    expect(await receiptOf(gateway)).toMatchObject({
      why: { reason: 'cache-warm', untilMs: Date.UTC(2026, 10, 21) + 300_000 },
    })
  })

  it('names settings that do not allow our tool, and policies that shorten nothing', async () => {
    const gateway = await testGateway()
    const body = openaiFixture.body(7, { prehend: { rehydrate: false } })
    expect((await send(gateway, openaiFixture, body)).why).toMatch(/^switched-off;/)
  })
})
