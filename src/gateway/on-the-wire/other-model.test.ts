import { afterEach, expect, it } from 'vitest'
import type { Usage } from '../../core/index.ts'
import { anthropicFixture, closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const cases = [
  { dialect: anthropicFixture, models: ['claude-sonnet-4-6', 'claude-opus-4-6'] },
  { dialect: openaiFixture, models: ['gpt-5.1', 'gpt-5.1-mini'] },
] as const

interface Told {
  readonly usage: Usage
  readonly cause: string | undefined
}

async function last({ store }: TestGateway): Promise<Told> {
  const [summary] = await store.read('receipts').list('default', { limit: 1 })
  const receipt = await store.read('receipts').get('default', summary!.requestId)
  return { usage: receipt!.result!.usage!, cause: receipt!.manifest.epoch?.cause }
}

it.each(cases)(
  '$dialect.name: each model keeps what it has in its cache while another is asked in between',
  async ({ dialect, models: [own, other] }) => {
    const gateway = await testGateway()
    const words: unknown[] = []
    const ask = async (results: number, model: string, said?: string): Promise<Told> => {
      if (said !== undefined) words.push({ role: 'assistant', content: 'So it is.' }, dialect.says(said))
      const body = dialect.body(results, { model })
      await (await post(gateway, dialect, { ...body, messages: [...body.messages, ...words] })).text()
      await gateway.clock.advance(20_000)
      return last(gateway)
    }
    for (const results of [6, 7, 8]) await ask(results, own)
    const before = await ask(9, own)
    const aside = await ask(9, other, 'What does another one say?')
    // Nothing of the conversation is in the other model's cache: what is shown anew costs nothing.
    expect([aside.cause, aside.usage.cacheReadTokens ?? 0]).toEqual(['cold-cache', 0])
    const again = await ask(9, own, 'And the first one?')
    expect(again.usage.cacheReadTokens).toBeGreaterThan(0.9 * before.usage.inputTokens)
    const there = await ask(9, other, 'And the other one?')
    expect(there.usage.cacheReadTokens).toBeGreaterThan(0.9 * aside.usage.inputTokens)
  },
)
