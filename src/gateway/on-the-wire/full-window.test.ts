import { afterEach, describe, expect, it } from 'vitest'
import { policies } from '../../compiler/index.ts'
import { log, names, sentBy, steps, wires } from './agent-wires.fixture.ts'
import { closeTestGateways, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway, TestGatewayOptions } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const windowTokens = 16_000
const models = Object.fromEntries(Object.values(names).map((name) => [name, { windowTokens }]))

const open = (policy: NonNullable<TestGatewayOptions['config']>['policy']): Promise<TestGateway> =>
  testGateway({ config: { models, policy }, script: () => 'done' })

describe.each(wires)('a full window: $name', (wire) => {
  it('a fresh result that is larger than it is shown by its ends and its failures', async () => {
    const gateway = await open('careful')
    const ended = await sentBy(gateway, wire, wire.body([...steps(3), { call: 'all', result: log(4_000) }]))
    expect([ended.status, ended.outcome]).toEqual([200, 'ok'])
    expect(ended.sent).toContain('handled request 0 in')
    expect(ended.sent).toContain('connection to db-7 refused')
    expect(ended.sent).toContain(`handled request ${3_999 * 31} in`)
    expect(ended.sent).toMatch(/lines \d+-\d+ folded: rehydrate/)
    const [receipt] = await gateway.store.read('receipts').list('default', { limit: 1 })
    expect(receipt?.outcome).toBe('ok')
  })

  it('a session goes on for as long as its client likes, and the provider takes every request', async () => {
    const gateway = await open('careful')
    for (const count of [20, 60, 61, 150, 151]) {
      const { status, outcome, said, sent } = await sentBy(gateway, wire, wire.body(steps(count)))
      expect([count, status, outcome, status === 200 ? '' : said]).toEqual([count, 200, 'ok', ''])
      expect(sent).toContain('Find why the worker fails.')
      expect(sent).toContain(`part-${count - 1}`)
    }
    expect(gateway.provider.requests.at(-1)?.body).toMatch(/\[Steps 2-\d+ left out, \d+ tokens\] rehydrate/)
  })

  it('without a tool that could follow handles, what does not fit is left out, and no handle is named', async () => {
    const gateway = await open('careful')
    for (const count of [20, 150, 151]) {
      const { status, outcome, sent } = await sentBy(gateway, wire, wire.body(steps(count), false))
      expect([count, status, outcome]).toEqual([count, 200, 'ok'])
      expect(sent).not.toContain('rehydrate')
      expect(sent).toContain(`part-${count - 1}`)
    }
  })
})

describe('a fresh result that is larger than the window, by policy', () => {
  const [chat] = wires
  const body = chat!.body([...steps(3), { call: 'all', result: log(4_000) }])

  // What has to be given for a step's pack no chat gives.
  const all = Object.keys(policies).filter((id) => policies[id]?.requires === undefined)
  const refusing = all.filter((id) => policies[id]?.overflow === 'fail-loud')

  it.each(refusing)('is refused under %s, which forbids to hide anything', async (policy) => {
    const { status, outcome } = await sentBy(await open(policy), chat!, body)
    expect([status, outcome]).toEqual([400, 'budget-exhausted'])
  })

  const relieved = { extends: 'careful', id: 'relieved', version: '1.0.0', relief: 'step-pack' } as const

  it.each([...all.filter((id) => !refusing.includes(id)), relieved])('fits under %s', async (policy) => {
    const gateway = await open(policy)
    const { status, outcome, sent } = await sentBy(gateway, chat!, body)
    expect([status, outcome]).toEqual([200, 'ok'])
    expect(sent.length).toBeLessThan(4 * windowTokens)
  })
})
