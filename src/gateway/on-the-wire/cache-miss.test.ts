import { afterEach, describe, expect, it } from 'vitest'
import type { CacheMiss } from '../../stores/index.ts'
import {
  anHourMs,
  anthropicFixture,
  closeTestGateways,
  openaiFixture,
  post,
  testGateway,
} from './test-gateway.fixture.ts'
import type { Body, TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

async function missOf({ store }: TestGateway): Promise<CacheMiss | undefined> {
  const [summary] = await store.read('receipts').list('default', { limit: 1 })
  return summary!.result?.cacheMiss
}

const cases = [
  { dialect: anthropicFixture, model: 'claude-sonnet-4-6', other: 'claude-opus-4-6' },
  { dialect: openaiFixture, model: 'gpt-5.1', other: 'gpt-5.1-mini' },
]

describe.each(cases)('a cache that is not read: $dialect.name', ({ dialect, model, other }) => {
  const started = async () => {
    const gateway = await testGateway({ config: { policy: 'careful' } })
    const ask = async (body: Body): Promise<CacheMiss | undefined> => {
      await gateway.clock.advance(1000)
      await (await post(gateway, dialect, body)).text()
      return missOf(gateway)
    }
    expect(await ask(dialect.body(1, { model }))).toBeUndefined()
    expect(await ask(dialect.body(2, { model }))).toBeUndefined()
    return { gateway, ask }
  }

  it('because time has passed', async () => {
    const { gateway, ask } = await started()
    await gateway.clock.advance(anHourMs)
    const miss = await ask(dialect.body(3, { model }))
    expect(miss).toMatchObject({ cause: 'expired', tokens: expect.any(Number), usd: expect.any(Number) })
    expect(miss!.tokens).toBeGreaterThan(10_000)
    expect(miss!.usd).toBeGreaterThan(0)
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
    expect(metrics).toContain(`prehend_cache_missed_tokens_total{cause="expired",by="nobody"} ${miss!.tokens}`)
  })

  it('because another model has a cache of its own', async () => {
    const { ask } = await started()
    expect(await ask(dialect.body(3, { model: other }))).toMatchObject({ cause: 'other-model' })
    expect(await ask(dialect.body(4, { model }))).toBeUndefined()
  })

  it('because the client has changed a tool late: the place and the price are told', async () => {
    const { ask } = await started()
    const [tool] = dialect.body(0)['tools'] as [Record<string, unknown>]
    const text = JSON.stringify(tool).replace('Reads a file.', 'Reads a file, or a part of it.')
    const body = dialect.body(3, { model, tools: [JSON.parse(text)] })
    expect(await ask(body)).toMatchObject({ cause: 'changed', changed: { by: 'client', part: 'tools' } })
  })

  it('is nobody’s where a conversation begins otherwise: that is another one', async () => {
    const { ask } = await started()
    const body = dialect.body(3, { model })
    expect(await ask(JSON.parse(JSON.stringify(body).replace('You are an agent.', 'It is 12:03.')))).toBeUndefined()
  })

  it('because we show something otherwise', async () => {
    const gateway = await testGateway()
    let miss: CacheMiss | undefined
    for (let results = 5; results < 30 && miss === undefined; results += 1) {
      await gateway.clock.advance(1000)
      await (await post(gateway, dialect, dialect.body(results, { model }))).text()
      miss = await missOf(gateway)
    }
    expect(miss).toMatchObject({ cause: 'changed', changed: { by: 'gateway', part: 'messages' } })
  })
})
