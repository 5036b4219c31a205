import { afterEach, describe, expect, it } from 'vitest'
import { differences, receiptsOf } from './proven.fixture.ts'
import { anthropicFixture, closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const models = { small: { windowTokens: 4000 } }

describe.each([openaiFixture, anthropicFixture])('a request that no pack of fits: $name', (dialect) => {
  const tooMuch = {
    ...dialect.body(0, { model: 'small' }),
    messages: [dialect.says('every word of this '.repeat(3000))],
  }

  it('goes on as it came, and says so, where the policy allows that', async () => {
    const gateway = await testGateway({ config: { models, policy: 'careful' }, script: () => 'done' })
    const body = JSON.stringify(tooMuch)
    const response = await post(gateway, dialect, body)
    expect(response.headers.get('x-prehend-outcome')).toBe('budget-exhausted')
    expect(gateway.provider.requests[0]!.body).toBe(body)
  })

  it('is refused in the words of its dialect where nothing may be sent that is not whole', async () => {
    const gateway = await testGateway({ config: { models, policy: 'quality-first' }, script: () => 'done' })
    const response = await post(gateway, dialect, tooMuch)
    expect(response.status).toBe(400)
    const said = await response.text()
    expect(said).toMatch(/needs \d+ tokens and the window has \d+/)
    expect(said).toMatch(/prompt is too long: \d+ tokens > \d+ maximum|context_length_exceeded/)
    expect(JSON.parse(said)).toMatchObject({ error: { type: 'invalid_request_error' } })
    expect(gateway.provider.requests).toEqual([])
    const [receipt] = await gateway.store.read('receipts').list('default', { limit: 1 })
    expect(receipt).toMatchObject({ outcome: 'budget-exhausted', result: { status: 400 } })
  })

  it('goes on as it came where it is only observed', async () => {
    const config = { models, policy: 'quality-first', mode: 'observe' } as const
    const gateway = await testGateway({ config, script: () => 'done' })
    await (await post(gateway, dialect, tooMuch)).text()
    expect(gateway.provider.requests[0]!.body).toBe(JSON.stringify(tooMuch))
  })

  it('P-035: one that would make pages is refused with their sizes, and learns where to get them', async () => {
    const policy = { extends: 'careful', id: 'pages', version: '1.0.0', overflow: 'paginate' }
    const gateway = await testGateway({
      config: { models: { small: { windowTokens: 20_000 } }, policy },
      script: () => 'done',
    })
    const response = await post(gateway, dialect, dialect.body(5, { model: 'small', max_tokens: 100 }))
    expect([response.status, response.headers.get('x-prehend-outcome')]).toEqual([400, 'paginated'])
    const text = await response.text()
    const [, pages, sizes = ''] = /"paginate\\" makes (\d+) requests of it, of ([\d, ]+) tokens/.exec(text) ?? []
    expect(Number(pages)).toBeGreaterThan(1)
    expect(sizes.split(', ').map(Number)).toHaveLength(Number(pages))
    expect(text).toContain('POST /v1/compile')
    expect(gateway.provider.requests).toEqual([])
    const [receipt = expect.unreachable('no receipt')] = await receiptsOf(gateway)
    expect(receipt).toMatchObject({ manifest: { overflow: 'paginate', outcome: 'paginated' }, result: { status: 400 } })
    expect(differences(receipt)).toEqual([])
    const compiled = await post(
      gateway,
      { ...dialect, path: '/v1/compile' },
      dialect.body(5, { model: 'small', max_tokens: 100 }),
    )
    const { outcome } = (await compiled.json()) as { outcome: { kind: string; pages: { tokens: number }[] } }
    expect(outcome.pages.map(({ tokens }) => tokens)).toEqual(sizes.split(', ').map(Number))
    // The session stands where it stood: what fits goes on.
    await post(gateway, dialect, dialect.body(1, { model: 'small', max_tokens: 100 }))
    expect(gateway.provider.requests).toHaveLength(1)
  })
})
