import { describe, expect, it } from 'vitest'
import { clearToolUses, compact, keepLast, passThrough } from './index.ts'
import { renderer } from './render.ts'
import { asTrace, sessionRequests } from './session-record.ts'
import { plainCache } from './cache-bill.ts'
import { replay } from './replay.ts'
import type { StrategyReport } from './report.ts'
import type { RenderedMessage } from './render.ts'
import type { Strategy } from './strategy.ts'
import type { Trace } from './trace.ts'

const place = { file: 'test.jsonl', line: 1, field: '' }
const count = (text: string): number => text.length

/** A prompt of 10 tokens, and calls of 4 with results of 100. */
function session(results: number): Trace {
  const messages: unknown[] = [{ role: 'user', content: 'the prompt' }]
  for (let index = 0; index < results; index += 1) {
    messages.push({ role: 'assistant', content: null, tool_calls: [{ id: `c${index}`, name: 'ls', arguments: '{}' }] })
    messages.push({ role: 'tool', tool_call_id: `c${index}`, content: `${index}`.repeat(100) })
  }
  messages.push({ role: 'assistant', content: 'done' })
  return asTrace('s', sessionRequests({ messages } as never, place))
}

function sentBy(strategy: Strategy, trace: Trace): readonly (readonly RenderedMessage[])[] {
  const run = strategy.start(renderer({ count }))
  return trace.requests.map((request) => run.next(request))
}

const tokens = (messages: readonly RenderedMessage[]): number => messages.reduce((sum, each) => sum + each.tokens, 0)

function billOf(strategy: Strategy, trace: Trace): StrategyReport {
  const bench = replay({
    strategies: [strategy],
    provider: 'plain',
    count,
    outputPrice: 5,
    openCache: () => plainCache({ read: 0.1, write: 1 }),
    clock: () => 0,
  })
  bench.add(trace)
  return bench.report().strategies[0]!
}

describe('clearing of tool uses', () => {
  it('begins above its trigger, and leaves the newest results', () => {
    const sent = sentBy(clearToolUses({ trigger: 300, keep: 1 }), session(4))
    const results = sent.map((messages) =>
      messages.filter(({ role }) => role === 'tool').map(({ text }) => text.length),
    )
    expect(results).toEqual([[], [100], [100, 100], [41, 41, 100], [41, 41, 41, 100]])
  })

  it('is asked of what the client sends, not of what is left', () => {
    const sent = sentBy(clearToolUses({ trigger: 300, keep: 1 }), session(12))
    // What is left is below the trigger soon after it was passed, and still all but the newest is cleared.
    expect(tokens(sent[4]!)).toBeLessThan(300)
    expect(sent.at(-1)!.filter(({ text }) => text.startsWith('[Old')).length).toBe(11)
  })
})

describe('compaction', () => {
  it('puts a summary in the place of everything but the opening and the last reply', () => {
    const sent = sentBy(compact({ trigger: 300, summary: 20 }), session(4))
    expect(sent.map(tokens)).toEqual([10, 114, 218, 10 + 20 + 104, 10 + 20 + 208])
    expect(sent[3]!.map(({ text }) => text.slice(0, 10))).toEqual(['the prompt', '[Summary o', 'ls {}', '2222222222'])
  })

  it('is paid for: the prompt is read once more, and the summary is written', () => {
    const trace = session(3)
    const { cost } = billOf(compact({ trigger: 300, summary: 20 }), trace)
    const upTo = 10 + (1 + 104) + (11.4 + 104)
    const asked = 0.1 * 218 + (322 - 218) + 20 * 5
    const then = 1 + 20 + 104
    expect(cost).toBeCloseTo(upTo + asked + then)
  })

  it('counts as nothing kept where a line was needed later', () => {
    const trace = session(6)
    const needles = new Map([[6, [{ text: '0'.repeat(100), sources: [trace.requests[1]!.messages.at(-1)!.id] }]]])
    const { needleLineRecall } = billOf(compact({ trigger: 300, summary: 20 }), { ...trace, needles })
    expect(needleLineRecall).toBe(0)
  })

  it('never summarises the same twice', () => {
    const sent = sentBy(compact({ trigger: 50, summary: 20 }), session(3))
    expect(sent.map(tokens)).toEqual([10, 114, 134, 134])
  })
})

it('V-029: masking, summarising and neither are compared on the same sessions in one run, by cost and by what stands', () => {
  const recorded = session(12)
  const source = recorded.requests
    .at(-1)
    ?.messages.filter(({ role }) => role === 'tool')
    .at(2)
  const needle = { text: '2'.repeat(40), sources: [source?.id ?? ''] }
  const trace: Trace = { ...recorded, needles: new Map([[11, [needle]]]) }
  const bench = replay({
    strategies: [passThrough(), keepLast(2), compact({ trigger: 400, summary: 20 })],
    provider: 'plain',
    count,
    outputPrice: 5,
    openCache: () => plainCache({ read: 0.1, write: 1 }),
    clock: () => 0,
  })
  bench.add(trace)
  const [neither, masking, summarising] = bench.report().strategies
  expect(neither).toMatchObject({ costRatio: 1, needleLineRecall: 1 })
  expect(masking?.tokens).toBeLessThan(neither?.tokens ?? 0)
  expect(summarising?.tokens).toBeLessThan(neither?.tokens ?? 0)
  for (const { costRatio, needleLineRecall } of [masking!, summarising!]) {
    expect(costRatio).not.toBe(1)
    expect(needleLineRecall).toBe(0)
  }
})
