import { afterEach, expect, it } from 'vitest'
import { anthropicFixture, closeTestGateways, post, testGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

interface Log {
  readonly lanes: readonly string[]
  readonly turns: readonly { readonly turn: number; readonly items: readonly { readonly text: string }[] }[]
  readonly more: boolean
}

it('GET /v1/sessions/{session}/turns: the conversation turn by turn, by range and by words', async () => {
  const gateway = await testGateway({ script: () => 'done' })
  const headers = { 'x-session-id': 'job' }
  for (const turns of [2, 3, 4])
    await (await post(gateway, anthropicFixture, anthropicFixture.body(turns), headers)).text()
  const ask = async (query = ''): Promise<Log> =>
    (await (await fetch(`${gateway.url}/v1/sessions/job/turns${query}`)).json()) as Log
  const log = await ask()
  expect(log.turns.map(({ turn }) => turn)).toEqual([1, 2, 3])
  expect(log.lanes).toHaveLength(1)
  const sizes = log.turns.map(({ items }) => items.length)
  expect(sizes[0]).toBeGreaterThan(sizes[1]!)
  expect(sizes[1]).toBe(sizes[2])
  expect((await ask('?from=2&to=2')).turns.map(({ turn }) => turn)).toEqual([2])
  expect(await ask('?limit=1')).toMatchObject({ turns: [{ turn: 1 }], more: true })
  const words = log.turns[2]!.items.at(-1)!
    .text.split(/\W+/)
    .filter((word) => word.length > 4)
  const found = await ask(`?q=${words.slice(0, 5).join('+')}&limit=3`)
  expect(found.turns.length).toBeGreaterThan(0)
  for (const { items } of found.turns) expect(items).toHaveLength(1)
  expect((await fetch(`${gateway.url}/v1/sessions/none/turns`)).status).toBe(404)
  expect((await fetch(`${gateway.url}/v1/sessions/job/turns?from=0`)).status).toBe(400)
})
