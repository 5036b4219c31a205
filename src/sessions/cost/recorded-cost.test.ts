import { expect, it } from 'vitest'
import { codecFor } from '../../codecs/index.ts'
import { policies } from '../../compiler/index.ts'
import { manualClock, simulatedProvider } from '../../providers/index.ts'
import { memoryStore } from '../../stores/index.ts'
import { modelCatalogue } from '../../tokens/index.ts'
import { openSession } from '../in-process/open-session.ts'
import { savedBefore } from '../saved-before.fixture.ts'
import { askedAt, chatBody, recordedRuns } from '../recorded-runs.fixture.ts'

const catalogue = modelCatalogue({
  models: { 'gpt-5.1': { prices: { input: 1.25, output: 10, cacheRead: 0.125 } } },
})

/** A provider, and what it has billed in dollars. */
function provider(clock: ReturnType<typeof manualClock>) {
  const { fetch } = simulatedProvider({ script: () => 'done', clock, catalogue })
  const bill = { dollars: 0 }
  const ask = async (request: object): Promise<object> => {
    const headers = { 'content-type': 'application/json', 'authorization': 'Bearer key' }
    const url = 'http://simulated/v1/chat/completions'
    const text = await (await fetch(url, { method: 'POST', headers, body: JSON.stringify(request) })).text()
    const { inputTokens, outputTokens, cacheReadTokens: read = 0 } = codecFor('openai-chat').usageOf(text)!
    bill.dollars += ((inputTokens - read) * 1.25 + read * 0.125 + outputTokens * 10) / 1e6
    return JSON.parse(text) as object
  }
  return { ask, bill }
}

it.each([
  { policy: policies.masked, mostOff: 0.005, mostCost: 0.95 },
  { policy: policies.thrifty, mostOff: 0.025, mostCost: 0.85 },
])(
  'a recorded coding session in process, $policy.id: what it cost, and what sending everything was billed',
  async ({ policy, mostOff, mostCost }) => {
    const [run] = recordedRuns('lite_test_a', 1)
    const clock = manualClock(Date.UTC(2026, 10, 21))
    const store = memoryStore()
    await savedBefore(store, 'default')
    const session = openSession({ policy, store, catalogue, clock: () => clock.now() })
    const [packed, everything] = [provider(clock), provider(clock)]
    for (const at of askedAt(run!)) {
      const request = JSON.parse(chatBody(run!.messages.slice(0, at))) as object
      await session.send(request, packed.ask)
      await everything.ask(request)
      await clock.advance(15_000)
    }
    const [told] = await store.read('results').sessions('default', { limit: 1 })
    const { requests, usd, passThroughUsd } = told!.cost
    expect(requests).toBe(askedAt(run!).length)
    expect(usd).toBeCloseTo(packed.bill.dollars, 9)
    expect(Math.abs(passThroughUsd / everything.bill.dollars - 1)).toBeLessThan(mostOff)
    expect(usd / everything.bill.dollars).toBeLessThan(mostCost)
  },
)
