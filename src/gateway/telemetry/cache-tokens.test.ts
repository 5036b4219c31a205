import { afterEach, expect, it } from 'vitest'
import { anthropicFixture, closeTestGateways, post, testGateway } from '../on-the-wire/test-gateway.fixture.ts'

afterEach(closeTestGateways)

it("C-012: tokens read from and written to a provider's cache are counted as it reports them, and a hit rate follows", async () => {
  const gateway = await testGateway()
  for (const results of [2, 3, 4]) {
    await (await post(gateway, anthropicFixture, anthropicFixture.body(results))).text()
    await gateway.clock.advance(10_000)
  }
  const reported = gateway.provider.requests.map(({ usage }) => usage!)
  const sum = (of: (usage: (typeof reported)[number]) => number | undefined): number =>
    reported.reduce((total, usage) => total + (of(usage) ?? 0), 0)
  const text = await (await fetch(`${gateway.url}/metrics`)).text()
  const counted = (kind: string): number =>
    Number(new RegExp(`prehend_tokens_total\\{kind="${kind}",family="anthropic"\\} (\\d+)`).exec(text)?.[1])
  expect(counted('cache-read')).toBe(sum(({ cacheReadTokens }) => cacheReadTokens))
  expect(counted('cache-write')).toBe(sum(({ cacheWriteTokens }) => cacheWriteTokens))
  expect(counted('cache-write')).toBeGreaterThan(5000)
  const hitRate = counted('cache-read') / counted('input')
  expect(hitRate).toBeCloseTo(sum(({ cacheReadTokens }) => cacheReadTokens) / sum(({ inputTokens }) => inputTokens), 10)
  expect(hitRate).toBeGreaterThan(0.4)
})
