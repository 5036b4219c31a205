import { afterEach, expect, it } from 'vitest'
import { anthropicFixture, closeTestGateways, post, testGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

interface Listed {
  readonly handle: string
  readonly uri: string
  readonly kind?: string
  readonly reason?: string
  readonly leftOut?: { readonly rung: string }
}

it('V-025, X-33: what was left out is one archive, found by id, by lines, by kind, by reason and by words', async () => {
  const gateway = await testGateway({
    script: () => 'done',
    config: { policy: 'thrifty', models: { 'claude-sonnet-4-6': { windowTokens: 12_000 } } },
  })
  const headers = { 'x-session-id': 'long/one' }
  for (let turns = 2; turns < 30; turns += 3)
    await (await post(gateway, anthropicFixture, anthropicFixture.body(turns), headers)).text()
  const at = `${gateway.url}/v1/sessions/${encodeURIComponent('long/one')}/originals`
  const list = async (query = ''): Promise<readonly Listed[]> =>
    ((await (await fetch(`${at}${query}`)).json()) as { readonly data: readonly Listed[] }).data
  const all = await list()
  expect(all.length).toBeGreaterThan(3)
  expect(JSON.stringify(all)).not.toContain('"text":')
  const whyOf = (rung = ''): string => (rung === 'summary' ? 'compacted' : rung === 'omitted' ? 'evicted' : 'masked')
  for (const { leftOut, reason, handle, uri } of all) {
    expect(reason).toBe(whyOf(leftOut?.rung))
    expect(uri).toBe(`prehend://sessions/long%2Fone/originals/${handle}`)
  }
  const results = await list('?kind=tool-result')
  expect(results.length).toBeGreaterThan(0)
  expect(results.every(({ kind }) => kind === 'tool-result')).toBe(true)
  const masked = await list('?reason=masked&limit=2')
  expect(masked).toHaveLength(2)
  const compacted = await list('?reason=compacted')
  expect(compacted.length).toBeGreaterThan(0)
  expect(compacted.every(({ reason }) => reason === 'compacted')).toBe(true)
  expect(await list('?reason=summarised')).toEqual([])
  const [first] = results
  const whole = (await (await fetch(`${at}/${first!.handle}`)).json()) as { readonly text: string }
  const lines = whole.text.split('\n')
  expect(lines.length).toBeGreaterThan(2)
  const part = (await (await fetch(`${at}/${first!.handle}?lines=2-3`)).json()) as { readonly text: string }
  expect(part.text).toBe(lines.slice(1, 3).join('\n'))
  const words = whole.text.match(/[a-z]{6,}/g)!.slice(0, 4)
  expect((await list(`?q=${words.join('+')}&kind=tool-result`)).map(({ handle }) => handle)).toContain(first!.handle)
  const found = await gateway.store
    .read('originals')
    .search({ tenant: 'default', session: 'long/one', lane: '' }, words.join(' '), { maxChars: 4_000_000 })
  const best = found.map(({ handle }) => handle)
  expect(best).not.toEqual(best.toSorted())
  expect((await list(`?q=${words.join('+')}`)).map(({ handle }) => handle)).toEqual(best)
  expect((await list(`?q=${words.join('+')}&limit=2`)).map(({ handle }) => handle)).toEqual(best.slice(0, 2))
  const wrong = await fetch(`${at}/${first!.handle}?lines=none`)
  expect(wrong.status).toBe(400)
  expect(await wrong.text()).toMatch(/lines: is \\"none\\"\. Give first-last, from 1 to \d+/)
  expect((await fetch(`${at}?kind=nonsense`)).status).toBe(400)
  expect((await fetch(`${at}/000000000000`)).status).toBe(404)
})
