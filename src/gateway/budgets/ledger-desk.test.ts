import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { atLeastRuns } from '../../../scripts/property-runs.ts'
import { added, scopes, simulatedLedger, times } from './simulated-ledger.fixture.ts'

/** A ledger is confirmed again after a minute. */
const confirmedForMs = 60_000

type World = ReturnType<typeof simulatedLedger>

const action = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('begin' as const), of: fc.nat(), bound: fc.integer({ min: 1, max: 40 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('end' as const), of: fc.nat(), share: fc.constantFrom(0, 0.3, 1) }),
  },
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('steps' as const), count: fc.integer({ min: 1, max: 8 }) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(500, 2500, 12_000) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('crash' as const), of: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('flush' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('down' as const), isDown: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('store' as const), isDown: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('skew' as const), ms: fc.integer({ min: -7_200_000, max: 7_200_000 }) }),
  },
)
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never

async function perform(world: World, one: Action): Promise<void> {
  const all = world.living()
  const calls = all.flatMap((process) => process.calls.map((call) => ({ process, call })))
  if (one.kind === 'begin') world.begin(pick(all, one.of), one.bound)
  else if (one.kind === 'end' && calls.length > 0) {
    const { process, call } = pick(calls, one.of)
    world.end(process, call, one.share)
  } else if (one.kind === 'pass') await world.pass(one.ms)
  else if (one.kind === 'flush') world.flush()
  else if (one.kind === 'down') world.down(one.isDown)
  else if (one.kind === 'store') world.storeDown(one.isDown)
  else if (one.kind === 'skew') world.skew(one.ms)
  else if (one.kind === 'crash') {
    world.crash(pick(all, one.of))
    world.start()
  }
}

function pick<Value>(values: readonly Value[], of: number): Value {
  return values[of % values.length] as Value
}

async function expectWithin(world: World): Promise<void> {
  for (const [account, amount] of await world.counted()) {
    const [scope, period = ''] = account.split(' ')
    const limits = scopes.find(({ kind }) => scope?.startsWith(kind))?.limits
    const most = period.length === 10 ? limits?.tokensPerDay : limits?.tokensPerMonth
    expect({ account, isWithin: amount <= (most ?? Infinity) }).toEqual({ account, isWithin: true })
  }
}

/** Everything ends, and what was lost is found. */
async function recovered(world: World): Promise<void> {
  world.down(false)
  world.storeDown(false)
  // Requests that waited for the server may begin only now.
  for (let tries = 0; tries < 4; tries += 1) {
    for (const process of world.living()) for (const call of process.calls.slice()) world.end(process, call, 0.5)
    await world.pass(times.graceMs + 2 * times.beatMs)
  }
  await world.pass(times.ownerMs + 2 * times.beatMs)
  for (let tries = 0; tries < 2; tries += 1) {
    for (const process of world.living()) void world.standing(process).catch(() => undefined)
    await world.pass(confirmedForMs)
  }
}

let interleavings = 0

describe('a ledger that several processes share', () => {
  it('never holds more than its limits, and in the end holds what the store holds, whatever is lost meanwhile', async () => {
    const runs = fc.asyncProperty(
      fc.array(action, { minLength: 20, maxLength: 90 }),
      fc.infiniteStream(fc.nat()),
      async (actions, random) => {
        const world = simulatedLedger((most) => random.next().value % most)
        for (let count = 0; count < 3; count += 1) world.start()
        for (const one of actions) {
          await perform(world, one)
          const steps = one.kind === 'steps' ? one.count : 1
          for (let count = 0; count < steps; count += 1) {
            await world.step()
            await expectWithin(world)
          }
        }
        await recovered(world)
        await world.drain()
        await expectWithin(world)
        interleavings += world.choices()
        const [asks] = world.living()
        if (asks === undefined) throw new Error('nobody lives')
        const day = new Date(world.nowMs()).toISOString().slice(0, 10)
        let standing: Awaited<ReturnType<World['standing']>> | undefined
        void world.standing(asks).then((found) => (standing = found))
        await world.pass(500)
        await world.drain()
        const stored = added(await world.sums())
        const entries = scopes.flatMap(({ kind, name }) => (kind === 'tenant' ? 'tenant' : `${kind}:${name}`))
        const expected = entries.flatMap((scope) =>
          ['nanoUsd', 'tokens', 'requests'].flatMap((unit) =>
            [day, day.slice(0, 7)].map((period) => ({
              settled: stored.get(`${scope} ${period} ${unit}`) ?? 0,
              open: 0,
            })),
          ),
        )
        expect(standing?.outcome).toBe('granted')
        expect(standing?.accounts).toEqual(expected)
        await world.pass(4 * times.beatMs)
        await world.drain()
        expect(world.living().every(({ desk }) => desk.isIdle())).toBe(true)
        const told = added([...world.recorded.values()].flatMap(({ spent }) => spent))
        expect(stored).toEqual(told)
      },
    )
    await fc.assert(runs, { numRuns: 300, plugins: [atLeastRuns(150)] })
    expect(interleavings).toBeGreaterThan(10_000)
  })
})
