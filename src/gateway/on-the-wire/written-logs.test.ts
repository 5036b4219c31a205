import { afterEach, describe, expect, it } from 'vitest'
import { policies } from '../../compiler/index.ts'
import type { ScriptEntry } from '../../providers/index.ts'
import { memoryStore } from '../../stores/index.ts'
import { sentBy, steps, wires } from './agent-wires.fixture.ts'
import { differences, receiptsOf } from './proven.fixture.ts'
import { anHourMs, closeTestGateways, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway, TestGatewayOptions } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const { balanced } = policies
const policy = {
  ...balanced,
  id: 'compacting',
  summaries: { mode: 'off', writer: 'model' },
  epochs: {
    ...balanced.epochs,
    patience: 1_000_000,
    compaction: { ...balanced.epochs.compaction!, newestSteps: 4, newestTokens: 500 },
  },
}
const config = { policy, summaries: { model: 'gpt-4o-mini' } }
const prose = 'It read part after part and found that worker number seven loses its connection.'
const sentence = 'I look at part 9 now'

const isSummary = (body: string): boolean => body.includes('You summarise a part of a conversation')

const playing =
  (written: ScriptEntry): NonNullable<TestGatewayOptions['script']> =>
  ({ body }) =>
    isSummary(body) ? written : 'Understood.'

const agentBody = ({ provider }: TestGateway): string =>
  provider.requests.filter(({ body }) => !isSummary(body)).at(-1)?.body ?? ''

const asked = ({ provider }: TestGateway): number => provider.requests.filter(({ body }) => isSummary(body)).length

async function told(gateway: TestGateway, wanted: number): Promise<readonly unknown[]> {
  const results = () => gateway.log.flatMap(({ event, fields }) => (event === 'summary' ? [fields['result']] : []))
  for (let round = 0; round < 200 && results().length < wanted; round += 1)
    await new Promise((done) => setTimeout(done, 10))
  return results()
}

const [wire] = wires

/** A session of 45 steps that is compacted after a pause. */
async function compactedSession(options: TestGatewayOptions): Promise<TestGateway> {
  const gateway = await testGateway(options)
  await sentBy(gateway, wire!, wire!.body(steps(8)))
  await gateway.clock.advance(anHourMs)
  await sentBy(gateway, wire!, wire!.body(steps(45)))
  expect(agentBody(gateway)).toMatch(/\[Steps \d+-\d+ left out/)
  expect(agentBody(gateway)).toContain(sentence)
  return gateway
}

async function sentNext(gateway: TestGateway, made: number, pauseMs: number): Promise<string> {
  await gateway.clock.advance(pauseMs)
  await sentBy(gateway, wire!, wire!.body(steps(made)))
  return agentBody(gateway)
}

describe('the log of a brief in the words of a model', () => {
  it('is asked for behind the request, and stands in the brief once rewriting is free', async () => {
    const gateway = await compactedSession({ config, script: playing(prose) })
    expect(await told(gateway, 2)).toEqual(['written', 'written'])
    expect(asked(gateway)).toBe(2)
    const warm = await sentNext(gateway, 46, 1_000)
    expect(warm).not.toContain(prose)
    expect(warm).toContain(sentence)
    const cold = await sentNext(gateway, 46, anHourMs)
    expect(cold).toContain('[steps 1-20, summarised by a model]')
    expect(cold).toContain(prose)
    expect(cold).not.toContain(sentence)
    expect(cold).toContain('Find why the worker fails.')
    expect(cold).toMatch(/\[Steps \d+-\d+ left out/)
    // Texts that are known are not asked for again, and every pack can be made anew from its receipt.
    expect(asked(gateway)).toBe(2)
    expect((await receiptsOf(gateway)).flatMap(differences)).toEqual([])
  })

  it.each<[string, ScriptEntry]>([
    ['an error of its provider', { fault: { kind: 'error', status: 500 } }],
    ['no words', ' '],
    ['a file that no step names', 'It mended src/pool/db-pool.ts in the end.'],
  ])('%s leaves the extract, and is kept nowhere', async (_, written) => {
    const store = memoryStore()
    const gateway = await compactedSession({ config, store, script: playing(written) })
    expect(await told(gateway, 2)).toEqual(['failed', 'failed'])
    const cold = await sentNext(gateway, 46, anHourMs)
    expect(cold).not.toContain('summarised by a model')
    expect(cold).toContain(sentence)
    const again = await testGateway({ config, store, script: playing(prose) })
    await sentBy(again, wire!, wire!.body(steps(46)))
    expect(await told(again, 1)).not.toContain('kept')
  })

  it('is asked of nobody where the policy has no model write', async () => {
    const { summaries: _, ...quoting } = policy
    const gateway = await compactedSession({ config: { ...config, policy: quoting }, script: playing(prose) })
    await sentNext(gateway, 46, anHourMs)
    expect(asked(gateway)).toBe(0)
  })
})
