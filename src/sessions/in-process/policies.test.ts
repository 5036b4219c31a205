import { describe, expect, it } from 'vitest'
import { composePolicy, foldPolicy, policies, policyUpdate } from '../../compiler/index.ts'
import type { PolicyName } from '../../compiler/index.ts'
import type { CompileEvent, Policy, PolicyUpdate, StepOverrun } from '../../core/index.ts'
import { manualClock } from '../../providers/index.ts'
import { memoryStore } from '../../stores/index.ts'
import { askedAt, recordedRuns } from '../recorded-runs.fixture.ts'
import { bodyOf } from '../session.fixture.ts'
import { openSession } from './open-session.ts'

const careful = policies['careful']

const adaptive: Policy = {
  ...careful,
  id: 'adaptive',
  overrides: {
    tenant: { acme: { epochs: { keepFull: 7 } } },
    taskClass: { strict: { overflow: 'fail-loud' } },
    regime: { busy: { pressure: { compress: 0.82 } } },
  },
}

const body = (results: number): object => JSON.parse(bodyOf(results)) as object

describe('a session in a situation', () => {
  it('its receipts name it, with the tenant, and what holds of the policy', async () => {
    const store = memoryStore()
    const session = openSession({
      policy: adaptive,
      tenant: 'acme',
      situation: { regime: 'calm' },
      store,
      record: 'content',
    })
    const { receipt } = await session.pack(body(2), { situation: { regime: 'busy', taskClass: 'strict' } })
    expect(receipt!.manifest).toMatchObject({
      policyId: 'adaptive',
      overflow: 'fail-loud',
      situation: { tenant: 'acme', regime: 'busy', taskClass: 'strict' },
      overrides: ['tenant acme', 'taskClass strict', 'regime busy'],
    })
    const [kept] = await store.read('receipts').list('acme', { limit: 1 })
    expect((await store.read('receipts').get('acme', kept!.requestId))!.input).toMatchObject({
      situation: { regime: 'busy' },
    })
    expect((await session.pack(body(3))).receipt!.manifest.overrides).toEqual(['tenant acme'])
  })

  it('the bytes of a policy without overrides are the same in every situation', async () => {
    const [plain, named] = [openSession(), openSession({ situation: { regime: 'busy', agentPhase: 'planning' } })]
    for (const results of [2, 3, 4])
      expect((await named.pack(body(results))).body).toBe((await plain.pack(body(results))).body)
  })

  it('V-067: a change of regime is told once', async () => {
    const told: (CompileEvent | PolicyUpdate | StepOverrun)[] = []
    const session = openSession({ policy: adaptive, onEvent: (event) => told.push(event) })
    for (const [index, regime] of ['calm', 'calm', 'busy', 'busy', 'calm'].entries())
      await session.pack(body(index + 2), { situation: { regime } })
    const changes = told.flatMap((event) =>
      event.type === 'context:regime-override' ? [[event.previousRegime, event.newRegime]] : [],
    )
    expect(changes).toEqual([
      ['calm', 'busy'],
      ['busy', 'calm'],
    ])
    expect(told.filter(({ type }) => type === 'context:assembled')).toHaveLength(5)
  })

  it('V-009, V-067, V-068: a change of the policy holds from the next request on, and is told once with all of it', async () => {
    const told: PolicyUpdate[] = []
    const session = openSession({
      policy: adaptive,
      onEvent: (event) => event.type === 'context:policy-updated' && told.push(event),
    })
    const revisionOf = async (results: number) => (await session.pack(body(results))).receipt!.manifest.policyRevision
    expect(await revisionOf(2)).toBeUndefined()
    session.changePolicy({ overflow: 'fail-loud', overrides: undefined }, 'by hand')
    expect([await revisionOf(3), await revisionOf(4)]).toEqual([1, 1])
    const last = session.changePolicy({ reserveShare: 0.2 }, 'learnt')
    expect(await revisionOf(5)).toBe(2)
    expect(told.map(({ revision, trigger }) => [revision, trigger])).toEqual([
      [1, 'by hand'],
      [2, 'learnt'],
    ])
    expect(foldPolicy([policyUpdate(undefined, adaptive, 'created'), ...told])).toEqual(last)
    expect(() => session.changePolicy({ reserveShare: 9 }, 'wrong')).toThrow('policy.reserveShare')
    expect(await revisionOf(6)).toBe(2)
  })
})

describe('A-066: quality first and cost first, on a recorded run', () => {
  const [run] = recordedRuns('deepseek_chat_dev', 1)
  const parameters = { type: 'object', properties: { command: { type: 'string' } } }
  const bash = { type: 'function', function: { name: 'bash', description: 'Runs a command.', parameters } }
  const requests = askedAt(run!)
    .slice(0, 60)
    .map((at) => ({ model: 'gpt-4.1', tools: [bash], messages: run!.messages.slice(0, at) }))

  const sentBy = async (policy: PolicyName) => {
    const clock = manualClock(Date.UTC(2026, 10, 21))
    const session = openSession({ policy, clock: () => clock.now() })
    const bodies: string[] = []
    let saved = 0
    for (const request of requests) {
      const packed = await session.pack(request)
      bodies.push(packed.body)
      saved += packed.receipt!.savedTokens
      // Every few requests the user is away for longer than a cache lasts.
      await clock.advance(bodies.length % 10 === 0 ? 3_600_000 : 10_000)
    }
    return { bodies, saved }
  }

  it('cost first sends less of it', async () => {
    const [quality, cost] = [await sentBy('quality-first'), await sentBy('cost-first')]
    expect(cost.bodies.at(-1)).not.toBe(quality.bodies.at(-1))
    expect(cost.bodies.at(-1)!.length).toBeLessThan(0.95 * quality.bodies.at(-1)!.length)
    expect(cost.saved).toBeGreaterThan(quality.saved)
    expect(composePolicy(policies['cost-first']).policy.costSensitivity).toBeGreaterThan(0)
  })
})
