import { afterEach, describe, expect, it } from 'vitest'
import type { ExchangeCost, SessionCost } from '../../stores/index.ts'
import {
  anHourMs,
  anthropicFixture,
  closeTestGateways,
  handleIn,
  openaiFixture,
  post,
  shortenedSession,
  testGateway,
  unmarkedMessages,
} from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

describe.each([openaiFixture, anthropicFixture])('mode observe: $name', (dialect) => {
  it("forwards the client's bytes and tells what packing would have saved", async () => {
    const gateway = await testGateway({ config: { mode: 'observe' }, script: () => 'done' })
    for (const results of [7, 8]) {
      await (await post(gateway, dialect, dialect.body(results))).text()
      await gateway.clock.advance(anHourMs)
    }
    const body = JSON.stringify(dialect.body(9), undefined, 3)
    const response = await post(gateway, dialect, body)
    await response.text()
    expect(gateway.provider.requests.at(-1)!.body).toBe(body)
    expect(response.headers.get('x-prehend-mode')).toBe('observe')
    expect(response.headers.get('x-prehend-saved-tokens')).toBe('0')
    expect(Number(response.headers.get('x-prehend-would-save-tokens'))).toBeGreaterThan(10_000)
    const receipt = await gateway.store.read('receipts').get('default', response.headers.get('x-prehend-pack-id')!)
    expect(receipt).toMatchObject({ mode: 'observe', result: { status: 200 } })
    expect(receipt!.manifest.packTokens).toBeLessThan(receipt!.manifest.originalTokens / 2)
  })

  it('what mode on would have saved stands in receipts, sessions, statistics and metrics', async () => {
    const prices = { input: 2, output: 8, cacheRead: 0.2, cacheWrite: 2.5 }
    const models = { [String(dialect.body(1)['model'])]: { prices } }
    const gateway = await testGateway({ config: { mode: 'observe', models }, script: () => 'done' })
    for (const results of [7, 8, 9]) {
      await (await post(gateway, dialect, dialect.body(results))).text()
      await gateway.clock.advance(anHourMs)
    }
    const asked = async (path: string) => (await (await fetch(`${gateway.url}${path}`)).json()) as never
    const { data: packs } = (await asked('/v1/packs')) as { data: { result: { cost: Required<ExchangeCost> } }[] }
    const costs = packs.map(({ result }) => result.cost)
    const sum = (of: (cost: Required<ExchangeCost>) => number): number => costs.reduce((all, cost) => all + of(cost), 0)
    for (const { usd, passThroughUsd, clientUsd } of costs) expect([passThroughUsd, clientUsd]).toEqual([usd, usd])
    const ifOn = sum((cost) => cost.ifOn.usd)
    expect(ifOn).toBeLessThan(0.8 * sum(({ usd }) => usd))
    const { data: sessions } = (await asked('/v1/sessions')) as { data: { cost: SessionCost }[] }
    expect(sessions[0]!.cost.ifOnUsd).toBeCloseTo(ifOn, 9)
    expect(sessions[0]!.cost.observedUsd).toBe(sessions[0]!.cost.usd)
    const { totals } = (await asked('/v1/stats')) as { totals: Record<string, number> }
    expect([totals['savedUsd'], totals['savedShare']]).toEqual([0, null])
    expect(totals['wouldSaveUsd']).toBeCloseTo(totals['usd']! - ifOn, 9)
    expect(totals['wouldSaveByMarksUsd']! + totals['wouldSaveByPackingUsd']!).toBeCloseTo(totals['wouldSaveUsd']!, 9)
    expect(totals['wouldSaveShare']).toBeCloseTo(1 - ifOn / totals['usd']!, 9)
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
    const counted = (kind: string): number =>
      Number(new RegExp(`^prehend_cost_usd_total\\{kind="${kind}".* (\\S+)$`, 'm').exec(metrics)?.[1])
    expect(counted('if-on')).toBeCloseTo(ifOn, 9)
    for (const kind of ['observed', 'client', 'pass-through']) expect(counted(kind)).toBeCloseTo(totals['usd']!, 9)
  })

  it("a streamed reply comes through as the provider's bytes", async () => {
    const gateway = await testGateway({ config: { mode: 'observe' }, script: () => 'some words' })
    const text = await (await post(gateway, dialect, dialect.body(1, { stream: true }))).text()
    const direct = await gateway.provider.fetch(`http://simulated${dialect.path}`, {
      method: 'POST',
      headers: dialect.headers,
      body: JSON.stringify(dialect.body(1, { stream: true })),
    })
    expect(text.replaceAll(/sim\d{8}/g, 'id')).toBe((await direct.text()).replaceAll(/sim\d{8}/g, 'id'))
  })

  it('does not touch the ledger of the same session when it is packed', async () => {
    const gateway = await testGateway({ script: () => 'done' })
    await shortenedSession(gateway, dialect)
    await (await post(gateway, dialect, dialect.body(9, { prehend: { mode: 'observe' } }))).text()
    const observed = gateway.provider.requests.at(-1)!.body
    expect(handleIn(observed, 1)).toBeUndefined()
    expect(observed).not.toContain('"prehend"')
    expect(JSON.parse(observed)).toEqual(JSON.parse(JSON.stringify(dialect.body(9))))
    const response = await post(gateway, dialect, dialect.body(9))
    await response.text()
    expect(handleIn(gateway.provider.requests.at(-1)!.body, 1)).toBeDefined()
  })
})

describe.each([openaiFixture, anthropicFixture])('mode off: $name', (dialect) => {
  it('forwards the bytes and compiles nothing', async () => {
    const gateway = await testGateway({ config: { mode: 'off' }, script: () => 'done' })
    const body = JSON.stringify(dialect.body(2), undefined, 1)
    const response = await post(gateway, dialect, body)
    expect(response.status).toBe(200)
    expect(gateway.provider.requests[0]!.body).toBe(body)
    expect(response.headers.has('x-prehend-pack-id')).toBe(false)
    expect(await gateway.store.read('receipts').list('default', { limit: 9 })).toEqual([])
  })
})

describe.each([openaiFixture, anthropicFixture])('what does not change is not touched: $name', (dialect) => {
  it('headroom#1042: a request with nothing to shorten and no tools goes out as the same bytes', async () => {
    const gateway = await testGateway({ script: () => 'done' })
    const { tools: _, ...plain } = dialect.body(0)
    const body = JSON.stringify(plain, undefined, 2)
    await (await post(gateway, dialect, body)).text()
    expect(gateway.provider.requests[0]!.body).toBe(body)
  })

  it('G-016, N-03: from request to request of an epoch, what was sent stands at the beginning of what is sent', async () => {
    const gateway = await testGateway({ script: () => 'done' })
    await shortenedSession(gateway, dialect)
    for (const results of [9, 10, 11, 12]) await (await post(gateway, dialect, dialect.body(results))).text()
    const receipts = await gateway.store.read('receipts').list('default', { limit: 20 })
    const epochs = receipts.map(({ epoch }) => epoch).toReversed()
    const bodies = gateway.provider.requests.map(({ body }) => body)
    const held = bodies
      .slice(1)
      .map((body, index) => ({ before: bodies[index]!, body, same: epochs[index] === epochs[index + 1] }))
    expect(held.filter(({ same }) => same).length).toBeGreaterThanOrEqual(2)
    for (const { before, body } of held.filter(({ same }) => same)) {
      const [earlier, later] = [unmarkedMessages(before), unmarkedMessages(body)]
      expect(later.slice(0, earlier.length)).toEqual(earlier)
      if (dialect === openaiFixture) expect(body.startsWith(before.slice(0, before.lastIndexOf(']}')))).toBe(true)
    }
  })
})
