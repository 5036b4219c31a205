import { describe, expect, it } from 'vitest'
import type { ReceiptSummary } from '../stores/index.ts'
import { bothLoggers, ownRequests, unrecordedNotice } from './own-requests.ts'
import { runSummary } from './wrap-summary.ts'

const receipt = (requestId: string, sequence: number, usd?: number): ReceiptSummary => ({
  requestId,
  sequence,
  packId: 'p',
  session: 's',
  createdMs: 0,
  dialect: 'openai-chat',
  mode: 'on',
  lane: '',
  policyId: 'balanced',
  outcome: 'ok',
  originalTokens: 10,
  packTokens: 10,
  ...(usd !== undefined && {
    result: {
      status: 200,
      rehydrations: 0,
      upstreamMs: 1,
      overheadMs: 1,
      cost: { inputTokens: 10, passThroughTokens: 20, usd, passThroughUsd: usd, clientUsd: 2 * usd },
    },
  }),
})

const run = {
  program: 'agent',
  needs: undefined,
  code: 0,
  store: '/data/prehend.db',
  requests: {
    answered: () => new Set(['a', 'b']),
    unrecorded: () => ({ ids: new Set<string>(), why: { isFull: false, remedy: undefined } }),
    problem: () => undefined,
    isReached: () => true,
  },
}

it('waits for results that are stored behind the answers, and counts no other request', async () => {
  let asked = 0
  const list = () => {
    asked += 1
    const late = asked === 1 ? receipt('b', 3) : receipt('b', 3, 1)
    return Promise.resolve([late, receipt('other', 2, 50), receipt('a', 1, 1)])
  }
  const said = await runSummary({ list }, run)
  expect(said).toMatch(/^\$2\.00, the client's own requests about \$4\.00: .*; 20 tokens in, 40 with everything sent$/)
})

it('names the model without prices, and the setting that gives it some', async () => {
  const unpriced = (requestId: string, sequence: number): ReceiptSummary => {
    const { result, ...rest } = receipt(requestId, sequence, 1)
    const cost = { inputTokens: 10, passThroughTokens: 20 }
    return { ...rest, model: 'qwen3-coder-plus', ...(result && { result: { ...result, cost } }) }
  }
  const setting =
    'prices of "qwen3-coder-plus" are not known: set models."qwen3-coder-plus".prices in the configuration'
  const none = () => Promise.resolve([unpriced('a', 1), unpriced('b', 2)])
  expect(await runSummary({ list: none }, run)).toBe(`20 tokens in, 40 with everything sent; ${setting}`)
  const some = () => Promise.resolve([receipt('a', 1, 1), unpriced('b', 2)])
  expect(await runSummary({ list: some }, run)).toContain(
    `(1 of 2 requests); 20 tokens in, 40 with everything sent; of the others ${setting}`,
  )
})

it('tells what mode observe paid apart: it can have saved nothing, and no share is of it', async () => {
  const { result, ...rest } = receipt('b', 2, 1)
  const ifOn = { usd: 0.5, passThroughUsd: 0.75 }
  const cost = { inputTokens: 10, passThroughTokens: 10, usd: 1, passThroughUsd: 1, clientUsd: 1, ifOn }
  const observed: ReceiptSummary = { ...rest, mode: 'observe', ...(result && { result: { ...result, cost } }) }
  const list = () => Promise.resolve([receipt('a', 1, 1), observed])
  expect(await runSummary({ list }, run)).toMatch(
    /^\$1\.00, the client's own requests about \$2\.00: saved \$1\.00 \(50\.0%\), .* by packing; \$1\.00 in mode observe; mode on would have saved about \$0\.5000 \(50\.0%\)/,
  )
})

it('says how many requests have no record, why, and that the figures are those of the others', async () => {
  const list = () => Promise.resolve([receipt('a', 1, 1)])
  const lost = { ids: new Set(['b', 'never-answered']), why: { isFull: true, remedy: 'Make room.' } }
  const requests = { ...run.requests, unrecorded: () => lost }
  expect(await runSummary({ list }, { ...run, requests })).toMatch(
    /^1 of 2 requests was forwarded without a record: the disk of \/data\/prehend.db is full. Of the 1 recorded: \$1\.00/,
  )
  const none = await runSummary({ list: () => Promise.resolve([]) }, { ...run, requests })
  expect(none).toBe('1 of 2 requests was forwarded without a record: the disk of /data/prehend.db is full')
})

describe('ownRequests', () => {
  it('takes a request that only looks whether the gateway is there for no request to a model', async () => {
    const requests = ownRequests()
    requests.logger.info('turned-away', { method: 'HEAD', path: '/api/hello', code: 'not-found' })
    const said = await runSummary({ list: () => Promise.resolve([]) }, { ...run, program: 'claude', code: 1, requests })
    expect(said).toBe('claude sent no request to a model, and ended with code 1')
    requests.logger.info('turned-away', { method: 'POST', path: '/v2/ask', code: 'not-found' })
    expect(requests.problem()).toBe('the gateway does not answer POST /v2/ask (not-found)')
  })

  it('hears of requests whose record could not be written, and the notice tells of the first', () => {
    const requests = ownRequests()
    const told: string[] = []
    const logger = bothLoggers(
      requests.logger,
      unrecordedNotice('/data/prehend.db', (line) => void told.push(line)),
    )
    const fields = { stage: 'store', cause: 'full', remedy: 'Make room.' }
    logger.warn('stage-skipped', { requestId: 'a', stage: 'decode' })
    for (const requestId of ['b', 'b', 'c']) logger.warn('stage-skipped', { requestId, ...fields })
    expect([...requests.unrecorded().ids]).toEqual(['b', 'c'])
    expect(told).toEqual([
      'prehend: requests are forwarded without a record from now on: the disk of /data/prehend.db is full\n',
    ])
  })
})
