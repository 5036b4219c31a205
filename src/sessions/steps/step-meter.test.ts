import { describe, expect, it } from 'vitest'
import { memoryStore } from '../../stores/index.ts'
import type { ReceiptResult } from '../../stores/index.ts'
import { openSession } from '../in-process/open-session.ts'
import { stepMeter } from './step-meter.ts'

const took = (upstreamMs: number, usd: number, tokens: number): ReceiptResult => ({
  status: 200,
  rehydrations: 0,
  upstreamMs,
  overheadMs: 0,
  usage: { inputTokens: tokens, outputTokens: 0 },
  cost: { inputTokens: tokens, passThroughTokens: tokens, usd, passThroughUsd: usd },
})

const limits = { latencyMs: 8_000, costUsd: 0.2 }

describe('what a step may take', () => {
  it('N-38: 8 seconds and 20 cents over all of its requests; each limit is told of once, with what was taken', () => {
    const meter = stepMeter()
    const step = { taskId: 'release', stepId: 'find', limits }
    expect(meter.took(step, took(5_000, 0.08, 900))).toEqual([])
    expect(meter.took(step, took(3_000, 0.12, 900))).toEqual([])
    expect(meter.took(step, took(1, 0, 900))).toEqual([{ limit: 'latencyMs', most: 8_000, actual: 8_001 }])
    expect(meter.took(step, took(1, 0.1, 900))).toEqual([{ limit: 'costUsd', most: 0.2, actual: expect.closeTo(0.3) }])
    expect(meter.took(step, took(9_000, 1, 900))).toEqual([])
  })

  it('steps are kept apart, by task and by name, and one without limits misses none', () => {
    const meter = stepMeter()
    for (const step of [
      { stepId: 'a', limits },
      { stepId: 'b', limits },
      { taskId: 't', stepId: 'a', limits },
    ])
      expect(meter.took(step, took(6_000, 0, 0))).toEqual([])
    expect(meter.took({ stepId: 'a' }, took(1e9, 1e9, 1e9))).toEqual([])
    expect(meter.took(undefined, took(1e9, 1e9, 1e9))).toEqual([])
    expect(meter.took({ stepId: 'a', limits }, took(3_000, 0, 0))).toHaveLength(1)
  })
})

it('N-38: a session tells its host, and the receipt has it', async () => {
  const told: unknown[] = []
  const store = memoryStore()
  const session = openSession({ store, onEvent: (event) => event.type === 'step:limits-missed' && told.push(event) })
  const messages: object[] = [{ role: 'user', content: 'Go on.' }]
  for (let count = 0; count < 3; count += 1) {
    const step = { taskId: 'release', stepId: 'find', limits: { tokens: 2_500 } }
    const packed = await session.pack({ model: 'gpt-5.1', messages }, { step })
    const message = { role: 'assistant', content: 'Done.' }
    await packed.answered({
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'gpt-5.1',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1_000, completion_tokens: 10, total_tokens: 1_010 },
    })
    messages.push(message, { role: 'user', content: `And ${count}?` })
  }
  const missed = [{ limit: 'tokens', most: 2_500, actual: 3_030 }]
  expect(told).toEqual([{ type: 'step:limits-missed', taskId: 'release', stepId: 'find', missed }])
  const receipts = await store.read('receipts').list('default', { limit: 3 })
  const results = await Promise.all(receipts.map(({ requestId }) => store.read('receipts').get('default', requestId)))
  expect(results.map((receipt) => receipt?.result?.missedLimits)).toEqual([missed, undefined, undefined])
  expect(results[0]?.step).toMatchObject({ limits: { tokens: 2_500 } })
})
