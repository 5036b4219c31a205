import { expect, it } from 'vitest'
import type { ReceiptSummary } from '../stores/index.ts'
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
  requests: { answered: () => new Set(['a', 'b']), problem: () => undefined },
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
