import { afterEach, expect, it } from 'vitest'
import { manualClock } from '../../providers/index.ts'
import { inProcessHot, memoryStore } from '../../stores/index.ts'
import { closeTestGateways, testGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

it('one of two gateways on a store prunes it, and the other goes on when that one stops', async () => {
  const clock = manualClock(Date.UTC(2026, 10, 21))
  const memory = memoryStore()
  // Each run removes by age, and then by number.
  let prunes = 0
  const store: typeof memory = {
    ...memory,
    prune(...given) {
      prunes += 1
      return memory.prune(...given)
    },
  }
  const host = { hot: inProcessHot({ clock: () => clock.now() }) }
  const one = await testGateway({ clock, store, host })
  const other = await testGateway({ clock, store, host })
  const pruning = async ({ url }: typeof one) => {
    const { jobs } = (await (await fetch(`${url}/v1/health`)).json()) as { jobs: { kind: string }[] }
    return jobs.find(({ kind }) => kind === 'prune')
  }
  await clock.advance(10 * 60_000)
  expect(prunes).toBe(20)
  expect([await pruning(one), await pruning(other)]).toMatchObject([
    { done: 10, elsewhere: 0 },
    { done: 0, elsewhere: 10 },
  ])
  await one.close()
  await clock.advance(60_000)
  expect([prunes, await pruning(other)]).toMatchObject([22, { done: 1, elsewhere: 10 }])
})
