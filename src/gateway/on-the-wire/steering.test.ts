import { afterEach, expect, it } from 'vitest'
import { anthropicFixture, closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const messages = (turns: number) =>
  Array.from({ length: turns }, (_, at) => [
    { role: 'user', content: `Question ${at}.` },
    ...(at < turns - 1 ? [{ role: 'assistant', content: `Answer ${at}.` }] : []),
  ]).flat()

const steer = ({ url }: TestGateway, body: object) =>
  fetch(`${url}/v1/sessions/quay/steering`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

it.each([
  ['Chat Completions', openaiFixture, { model: 'gpt-5.1' }],
  ['Messages', anthropicFixture, { model: 'claude-sonnet-4-6', max_tokens: 100 }],
] as const)('a steering note reaches the model by %s, and its request verifies', async (_, fixture, head) => {
  const gateway = await testGateway({ script: () => 'done' })
  const send = async (turns: number): Promise<string> => {
    const answer = await post(gateway, fixture, { ...head, messages: messages(turns) }, { 'x-session-id': 'quay' })
    await answer.text()
    return answer.headers.get('x-prehend-request-id') ?? ''
  }
  await send(1)
  const set = await steer(gateway, { note: '  Answer in Dutch.  ', pin: ['a'] })
  expect(await set.json()).toEqual({ sessionId: 'quay', note: 'Answer in Dutch.', pins: [{ itemId: 'a', name: null }] })
  for (const turns of [2, 3]) {
    const id = await send(turns)
    const bytes = await (await fetch(`${gateway.url}/v1/packs/${id}/bytes`)).text()
    expect(bytes).toContain('Answer in Dutch.')
    const verified = await fetch(`${gateway.url}/v1/packs/${id}/verify`, { method: 'POST' })
    expect(await verified.json()).toMatchObject({ verified: true })
  }
  const removed = await steer(gateway, { note: null, unpin: ['a'] })
  expect(await removed.json()).toEqual({ sessionId: 'quay', note: null, pins: [] })
  const shown = await fetch(`${gateway.url}/v1/sessions/quay/steering`)
  expect(await shown.json()).toEqual({ sessionId: 'quay', note: null, pins: [] })
})

it('a note that is too long, or no text, is refused with the field', async () => {
  const gateway = await testGateway({ script: () => 'done' })
  const long = await steer(gateway, { note: 'x'.repeat(2001) })
  expect(long.status).toBe(400)
  expect(await long.text()).toContain('note')
  expect((await steer(gateway, { note: '  ' })).status).toBe(400)
  for (const note of ['half \ud800', 'nul \0 within']) expect((await steer(gateway, { note })).status).toBe(400)
  expect((await steer(gateway, { pins: ['a'] })).status).toBe(400)
})
