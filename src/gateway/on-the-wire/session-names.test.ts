import { afterEach, expect, it } from 'vitest'
import { anthropicFixture, closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const name = (ending: string): string => `${'k'.repeat(300)}-${ending}`

it('sessions whose names differ behind the 256th character are two, and each is found by the name that its client sends', async () => {
  const gateway = await testGateway({ script: () => 'done' })
  for (const ending of ['one', 'other']) {
    const headers = { 'x-session-id': name(ending) }
    await (await post(gateway, openaiFixture, openaiFixture.body(3), headers)).text()
  }
  const found = async (path: string): Promise<Response> => fetch(`${gateway.url}/v1/sessions/${name(path)}`)
  const stored = await Promise.all(
    ['one', 'other'].map(async (ending) => {
      const { session } = (await (await found(ending)).json()) as { session: string }
      return session
    }),
  )
  expect(new Set(stored).size).toBe(2)
  for (const session of stored) {
    expect(session).toHaveLength(256)
    expect((await fetch(`${gateway.url}/v1/sessions/${session}`)).status).toBe(200)
  }
  expect((await found('third')).status).toBe(404)
  const packs = await (await fetch(`${gateway.url}/v1/packs?session=${name('one')}`)).json()
  expect((packs as { data: unknown[] }).data).toHaveLength(1)
})

it('a name of 256 characters is stored as it is', async () => {
  const gateway = await testGateway({ script: () => 'done' })
  const whole = 'n'.repeat(256)
  await (await post(gateway, openaiFixture, openaiFixture.body(1), { 'x-session-id': whole })).text()
  expect((await fetch(`${gateway.url}/v1/sessions/${whole}`)).status).toBe(200)
})

it("Claude Code's own session id names a session, behind the headers that any client may send", async () => {
  const gateway = await testGateway({ script: () => 'done' })
  const of = async (headers: Record<string, string>): Promise<void> => {
    await (await post(gateway, anthropicFixture, anthropicFixture.body(1), headers)).text()
  }
  await of({ 'x-claude-code-session-id': 'first-run' })
  await of({ 'x-claude-code-session-id': 'second-run' })
  await of({ 'x-claude-code-session-id': 'third-run', 'x-session-id': 'mine' })
  const { data } = (await (await fetch(`${gateway.url}/v1/sessions`)).json()) as { data: { session: string }[] }
  expect(data.map(({ session }) => session).toSorted()).toEqual(['first-run', 'mine', 'second-run'])
})
