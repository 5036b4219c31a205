import { afterEach, expect, it } from 'vitest'
import { simulatedProvider } from '../../providers/index.ts'
import { openaiFixture, post } from './test-gateway.fixture.ts'
import { closeThreadedGateways, startedThread, threadedGateway } from './threads.fixture.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  await closeThreadedGateways()
  for (const close of closers.splice(0)) await close()
})

it('what a session has cost is one sum, whichever thread has carried its requests', async () => {
  const server = await simulatedProvider({ script: () => 'done', strict: false }).listen()
  closers.push(() => server.close())
  const models = { 'gpt-5.1': { prices: { input: 2, output: 8 } } }
  const gateway = await threadedGateway(server.url, { models, limits: { threadBytes: 60_000 } })
  await startedThread(gateway)
  const carried = gateway.carried()
  const told: (string | null)[] = []
  for (const results of [1, 2, 3, 4, 5]) {
    const reply = await post(gateway, openaiFixture, openaiFixture.body(results))
    await reply.text()
    await expect
      .poll(async () => (await gateway.store.read('receipts').list('default', { limit: 1 }))[0]?.result)
      .toBeDefined()
    told.push(reply.headers.get('x-prehend-session-cost-usd'))
  }
  expect(gateway.carried() - carried).toBeGreaterThan(0)
  expect(gateway.carried() - carried).toBeLessThan(5)
  const receipts = (await gateway.store.read('receipts').list('default', { limit: 10 })).toReversed()
  const spent = receipts.map(({ result }) => result?.cost?.usd ?? Number.NaN)
  let soFar = 0
  for (const [index, usd] of spent.entries()) {
    expect(told[index]).toBe(index === 0 ? null : soFar.toFixed(6))
    soFar += usd
  }
  const [session] = await gateway.store.read('results').sessions('default', { limit: 5 })
  expect(session?.cost.usd).toBeCloseTo(soFar, 10)
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
  const counted = Number(/^prehend_cost_usd_total\{kind="spent",family="openai"\} (.*)$/m.exec(metrics)?.[1])
  expect(counted).toBeCloseTo(soFar, 10)
})
