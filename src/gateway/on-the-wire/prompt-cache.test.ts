import { afterEach, describe, expect, it } from 'vitest'
import {
  anthropicFixture,
  closeTestGateways,
  openaiFixture,
  post,
  shortenedSession,
  testGateway,
} from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

describe.each([openaiFixture, anthropicFixture])('the prompt cache stays warm: $name', (dialect) => {
  it('C-008: each request of an epoch reads all of the one before it from the cache', async () => {
    const gateway = await testGateway({ script: () => 'done' })
    await shortenedSession(gateway, dialect)
    for (const results of [9, 10, 11, 12, 13]) {
      await gateway.clock.advance(1000)
      await (await post(gateway, dialect, dialect.body(results))).text()
    }
    const receipts = (await gateway.store.receipts('default', { limit: 5 })).toReversed()
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

it('a client that places its own markers keeps them, and gets no others', async () => {
  const gateway = await testGateway({ script: () => 'done' })
  const body = anthropicFixture.body(3, {
    system: [{ type: 'text', text: 'You are an agent. '.repeat(300), cache_control: { type: 'ephemeral' } }],
  })
  expect((await post(gateway, anthropicFixture, body)).status).toBe(200)
  expect(gateway.provider.requests[0]!.body.match(/cache_control/g)).toHaveLength(1)
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
