import { afterEach, describe, expect, it } from 'vitest'
import {
  anthropicFixture,
  closeTestGateways,
  openaiFixture,
  post,
  shortenedSession,
  testGateway,
} from './test-gateway.fixture.ts'
import type { Body } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

describe.each([openaiFixture, anthropicFixture])('the prompt cache stays warm: $name', (dialect) => {
  it('C-008: each request of an epoch reads all of the one before it from the cache', async () => {
    const gateway = await testGateway({ script: () => 'done' })
    await shortenedSession(gateway, dialect)
    for (const results of [9, 10, 11, 12, 13]) {
      await gateway.clock.advance(1000)
      await (await post(gateway, dialect, dialect.body(results))).text()
    }
    const receipts = (await gateway.store.read('receipts').list('default', { limit: 5 })).toReversed()
    const pairs = receipts.slice(1).map((receipt, index) => ({ before: receipts[index]!, receipt }))
    const held = pairs.filter(({ before, receipt }) => before.epoch === receipt.epoch)
    expect(held.length).toBeGreaterThanOrEqual(2)
    for (const { before, receipt } of held) {
      const read = receipt.result!.usage!.cacheReadTokens!
      expect(read).toBeGreaterThan(0.97 * before.result!.usage!.inputTokens)
    }
  })

  it('a reply with hidden rounds is read from the cache by the next request, too', async () => {
    const call = { type: 'tool-call', name: 'rehydrate', arguments: { handle: 'deadbeef' } } as const
    const gateway = await testGateway({ script: [{ parts: [call] }, 'Well.', 'Good.'] })
    const body = dialect.body(2)
    await (await post(gateway, dialect, body)).text()
    await gateway.clock.advance(1000)
    const next = {
      ...body,
      messages: [...body.messages, { role: 'assistant', content: 'Well.' }, dialect.says('And?')],
    }
    await (await post(gateway, dialect, next)).text()
    const [first, hidden, second] = gateway.provider.requests
    expect(hidden!.usage!.cacheReadTokens).toBeGreaterThan(0.97 * first!.usage!.inputTokens)
    expect(second!.usage!.cacheReadTokens).toBeGreaterThan(0.97 * first!.usage!.inputTokens)
  })
})

describe('a client that places markers of its own', () => {
  const marker = { type: 'ephemeral' }
  const rules = { type: 'text', text: 'You are an agent. '.repeat(300), cache_control: marker }
  const sent = async (body: Body) => {
    const gateway = await testGateway({ script: () => 'done' })
    expect((await post(gateway, anthropicFixture, body)).status).toBe(200)
    return { gateway, body: gateway.provider.requests[0]!.body }
  }

  it('keeps them, and gets those that are left over behind its last', async () => {
    const { gateway, body } = await sent(anthropicFixture.body(3, { system: [rules] }))
    expect(JSON.parse(body).system).toEqual([rules])
    expect(JSON.stringify(JSON.parse(body).tools)).not.toContain('cache_control')
    expect(body.match(/cache_control/g)!.length).toBeGreaterThan(1)
    await gateway.clock.advance(1000)
    await (await post(gateway, anthropicFixture, anthropicFixture.body(4, { system: [rules] }))).text()
    const [second, first] = await gateway.store.read('receipts').list('default', { limit: 2 })
    expect(second!.result!.usage!.cacheReadTokens).toBeGreaterThan(0.97 * first!.result!.usage!.inputTokens)
  })

  it.each([
    [
      'has marked the end',
      (body: Body) => ({ ...body, messages: [...body.messages, { role: 'user', content: [rules] }] }),
    ],
    ['has the provider mark the end', (body: Body) => ({ ...body, cache_control: marker })],
    ['has used up all four', (body: Body) => ({ ...body, system: [rules, rules, rules, rules] })],
  ])('gets none where it %s', async (_, change) => {
    const own = change(anthropicFixture.body(3))
    const { body } = await sent(own)
    expect(body.match(/cache_control/g)).toHaveLength(JSON.stringify(own).match(/cache_control/g)!.length)
  })
})

it('without markers of the client, at most four are placed', async () => {
  const gateway = await testGateway({ script: () => 'done' })
  for (const results of [3, 30]) {
    expect((await post(gateway, anthropicFixture, anthropicFixture.body(results))).status).toBe(200)
    const marks = gateway.provider.requests.at(-1)!.body.match(/cache_control/g)!
    expect(marks.length).toBeGreaterThan(0)
    expect(marks.length).toBeLessThanOrEqual(4)
  }
})
