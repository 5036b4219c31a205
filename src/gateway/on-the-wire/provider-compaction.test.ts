import { afterEach, describe, expect, it } from 'vitest'
import { policies } from '../../compiler/index.ts'
import { differences, receiptsOf } from './proven.fixture.ts'
import { anHourMs, anthropicFixture, closeTestGateways, longResult, post, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const { balanced } = policies
const policy = {
  ...balanced,
  id: 'compacting',
  epochs: {
    ...balanced.epochs,
    patience: 1_000_000,
    compaction: { ...balanced.epochs.compaction!, patience: 1, newestSteps: 4, newestTokens: 500 },
  },
}

const block = { type: 'compaction', content: 'Earlier: files f1 to f30 were read.' }

const steps = (from: number, to: number, lines = 400): readonly object[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index).flatMap((at) => [
    { role: 'assistant', content: [{ type: 'tool_use', id: `toolu_${at}`, name: 'read', input: { path: `f${at}` } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${at}`, content: longResult(at, lines) }] },
  ])

const before: readonly object[] = [{ role: 'user', content: 'Find the value.' }, ...steps(1, 30)]

/** Thirty long results, what the provider has made of them, and steps since. */
const compacted = (since: readonly object[], made: object = block) => ({
  ...anthropicFixture.body(0),
  context_management: { edits: [{ type: 'compact_20260112' }] },
  messages: [
    ...before,
    { role: 'assistant', content: [made, { type: 'text', text: 'I go on.' }] },
    { role: 'user', content: 'Go on.' },
    ...since,
  ],
})

async function sent(gateway: TestGateway, body: object): Promise<{ readonly headers: Headers; readonly body: string }> {
  const response = await post(gateway, anthropicFixture, body)
  await response.text()
  expect(response.status).toBe(200)
  return { headers: response.headers, body: gateway.provider.requests.at(-1)?.body ?? '' }
}

const tokensOf = async (gateway: TestGateway) => {
  const receipts = await receiptsOf(gateway)
  expect(receipts.map(differences)).toEqual(receipts.map(() => []))
  return receipts.at(-1)?.manifest
}

describe('a conversation that its provider has compacted', () => {
  it('counts what the provider hears: nothing before the block is counted, shortened or called saved', async () => {
    const gateway = await testGateway({ config: { policy } })
    const { headers, body } = await sent(gateway, compacted(steps(31, 32, 20)))
    expect(headers.get('x-prehend-compaction-count')).toBe('1')
    // Our tool is all that it pays for.
    expect(Number(headers.get('x-prehend-saved-tokens'))).toBeLessThanOrEqual(0)
    expect(body).toContain('src/module-7/file-399.ts')
    expect(body).toContain(JSON.stringify(block))
    const manifest = await tokensOf(gateway)
    expect(manifest?.packTokens).toBeGreaterThan(200)
    expect(manifest?.packTokens).toBeLessThan(5_000)
    expect(manifest?.originalTokens).toBe(manifest?.packTokens)
  })

  it('gets our own brief behind the block, where the model sees it', async () => {
    const gateway = await testGateway({ config: { policy } })
    await sent(gateway, compacted(steps(31, 40)))
    await gateway.clock.advance(anHourMs)
    const { headers, body } = await sent(gateway, compacted(steps(31, 60)))
    expect(headers.get('x-prehend-compaction-count')).toBe('2')
    const brief = body.search(/\[Steps \d+-\d+ left out/)
    expect(brief).toBeGreaterThan(body.indexOf('"compaction"'))
    expect(body).toContain('src/module-7/file-399.ts')
  })

  it('forgets what its own forms took before', async () => {
    const gateway = await testGateway({ config: { policy } })
    await sent(gateway, { ...compacted([]), messages: before.slice(0, 41) })
    await gateway.clock.advance(anHourMs)
    expect((await sent(gateway, { ...compacted([]), messages: before })).body).toMatch(/\[Steps \d+-\d+ left out/)
    await sent(gateway, compacted(steps(31, 32, 20)))
    expect((await tokensOf(gateway))?.packTokens).toBeLessThan(5_000)
  })

  it('a compaction that failed has compacted nothing', async () => {
    const gateway = await testGateway({ config: { policy } })
    const { headers } = await sent(gateway, compacted([], { ...block, content: null }))
    expect(headers.get('x-prehend-compaction-count')).toBeNull()
    expect((await tokensOf(gateway))?.originalTokens).toBeGreaterThan(100_000)
  })
})
