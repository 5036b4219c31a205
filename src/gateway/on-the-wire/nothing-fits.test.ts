import { afterEach, describe, expect, it } from 'vitest'
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
    expect(response.status).toBe(422)
    const said = await response.text()
    expect(said).toMatch(/needs \d+ tokens and the window has \d+/)
    expect(JSON.parse(said)).toMatchObject({ error: { type: 'invalid_request_error' } })
    expect(gateway.provider.requests).toEqual([])
    const [receipt] = await gateway.store.receipts('default', { limit: 1 })
    expect(receipt).toMatchObject({ outcome: 'budget-exhausted', result: { status: 422 } })
  })

  it('goes on as it came where it is only observed', async () => {
    const config = { models, policy: 'quality-first', mode: 'observe' } as const
    const gateway = await testGateway({ config, script: () => 'done' })
    await (await post(gateway, dialect, tooMuch)).text()
    expect(gateway.provider.requests[0]!.body).toBe(JSON.stringify(tooMuch))
  })
})
