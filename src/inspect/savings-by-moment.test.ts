import { describe, expect, it } from 'vitest'
import { rehydrateToolName } from '../core/index.ts'
import { plainCache } from './cache-bill.ts'
import type { Moment } from './measures/moments.ts'
import { replay } from './replay.ts'
import { asTrace, sessionRequests } from './session-record.ts'
import type { StrategyReport } from './report.ts'
import type { Strategy } from './strategy.ts'

/** A prompt of 10 characters, then calls of 10 and results of 100. */
function session(calls: number) {
  const steps = Array.from({ length: calls }, (_, index) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: `c${index}`, name: 'ls', arguments: `{"a":${index}0}` }],
    },
    { role: 'tool', tool_call_id: `c${index}`, content: String(index).repeat(100) },
  ])
  const messages = [{ role: 'user', content: 'the prompt' }, ...steps.flat(), { role: 'assistant', content: 'done' }]
  return asTrace('s', sessionRequests({ messages }, { file: 'test.jsonl', line: 1, field: '' }))
}

interface Forms {
  /** Characters in which a result is shown, by its age in requests. */
  lengthAt(age: number): number
  began?(request: number): Moment | undefined
  readonly tool?: string
}

/** Shows results in fewer characters. */
const shortening = ({ lengthAt, began, tool }: Forms): Strategy => ({
  name: 'shortening',
  start(renderer) {
    let request = -1
    const front = tool === undefined ? [] : [{ role: 'system', text: tool, tokens: tool.length } as const]
    return {
      next({ messages }) {
        request += 1
        return [
          ...front.map((one) => ({ ...one, sourceId: '', observation: false, parts: [] })),
          ...messages.map((message, at) =>
            renderer.withShown(message, ({ kind, text }) => {
              const tokens = lengthAt((messages.length - 1 - at) / 2)
              return kind === 'tool-result' && tokens < text.length ? text.slice(0, tokens) : undefined
            }),
          ),
        ]
      },
      began: () => began?.(request),
    }
  },
})

function reportOf(strategy: Strategy, { outputPrice = 5, traces = [session(3)] } = {}): StrategyReport {
  const bench = replay({
    strategies: [strategy],
    provider: 'plain',
    count: (text) => text.length,
    openCache: () => plainCache({ read: 0.1, write: 1 }),
    outputPrice,
    clock: () => 0,
  })
  for (const trace of traces) bench.add(trace)
  return bench.report().strategies[0]!
}

// Requests of 10, 120, 230 and 340 characters in full: 10 + (110 + 1) + (110 + 12) + (110 + 23).
const inFull = 10 + 111 + 122 + 133

describe('savings by moment', () => {
  it('on arrival: results of 40 for 100 save 60 once at full price, and then at the price of reading', () => {
    const { savings } = reportOf(shortening({ lengthAt: () => 40 }))
    expect(savings.birth).toBeCloseTo((60 + (60 + 6) + (60 + 12)) / inFull, 10)
    expect([savings.cold, savings.warm]).toEqual([0, 0])
    expect(savings.added).toBeCloseTo(0, 10)
  })

  it('in a warm epoch: what is written anew is paid for by it', () => {
    const older = (request: number): Moment | undefined => (request >= 2 ? 'warm' : undefined)
    const report = reportOf(shortening({ lengthAt: (age) => (age >= 1 ? 40 : 100), began: older }))
    const { savings } = report
    expect(savings.birth).toBe(0)
    // The third and the fourth request each shorten a result, and write it anew with the call behind it.
    expect(savings.warm).toBeCloseTo(1 - (report.costRatio ?? 0), 10)
    expect(savings.warm).toBeLessThan(0)
    expect(savings.added).toBeCloseTo(0, 10)
  })

  it('in a cold one, and a strategy that tells of no epoch has paid for every form that changes', () => {
    const forms = { lengthAt: (age: number) => (age >= 1 ? 40 : 100) }
    const cold = reportOf(shortening({ ...forms, began: () => 'cold' })).savings
    expect([cold.birth, cold.warm]).toEqual([0, 0])
    expect(cold.cold).toBe(reportOf(shortening(forms)).savings.warm)
  })

  it('what the strategy adds stands apart, and all four sum up to what is saved', () => {
    const report = reportOf(shortening({ lengthAt: (age) => (age >= 2 ? 20 : 40), tool: 'tool'.repeat(5) }))
    const { birth, cold, warm, added } = report.savings
    // Written once, read three times, less nothing: 20 + 3 * 2.
    expect(added).toBeLessThan(-22 / inFull)
    expect((birth ?? 0) + (cold ?? 0) + (warm ?? 0) + (added ?? 0)).toBeCloseTo(1 - (report.costRatio ?? 0), 10)
  })
})

describe('the whole bill', () => {
  it('has the recorded answers in it, at the price of output', () => {
    // Answers are three calls, written in 11 characters, and `done`.
    const { wholeBill, costRatio } = reportOf(shortening({ lengthAt: () => 40 }))
    const answers = 37 * 5
    expect(wholeBill.ratio).toBeCloseTo(((costRatio ?? 0) * inFull + answers) / (inFull + answers), 10)
    expect(wholeBill.parts).toEqual({ answers: answers / (inFull + answers), ownCalls: 0, hiddenRounds: 0 })
  })

  it('has hidden rounds in it, with the calls that ask for them', () => {
    const whole = session(2)
    const source = whole.requests.at(-1)?.messages[2]?.id ?? ''
    const trace = { ...whole, needles: new Map([[1, [{ text: '000', sources: [source] }]]]) }
    const hiddenCost = (outputPrice: number): number => {
      const { parts, ratio } = reportOf(shortening({ lengthAt: () => 40 }), { traces: [trace], outputPrice }).wholeBill
      const answers = 26 * outputPrice
      expect(ratio).toBeLessThan(1 + (parts.hiddenRounds ?? 0))
      return (parts.hiddenRounds ?? 0) * (10 + 111 + 122 + answers)
    }
    const call = `${rehydrateToolName} ${JSON.stringify({ handle: source, lines: '1-1' })}`
    expect(hiddenCost(0)).toBeGreaterThan(100)
    expect(hiddenCost(5) - hiddenCost(0)).toBeCloseTo(5 * call.length, 8)
  })

  it('tells sessions by size, and the worst of ten requests and more', () => {
    const { wholeBill } = reportOf(shortening({ lengthAt: () => 40, tool: 'x'.repeat(1000) }), {
      traces: [session(3), session(12)],
    })
    expect(wholeBill.bySize.map(({ tokens, traces }) => [tokens, traces])).toEqual([
      ['under 20,000', 2],
      ['20,000-60,000', 0],
      ['60,000 and more', 0],
    ])
    const long = reportOf(shortening({ lengthAt: () => 40, tool: 'x'.repeat(1000) }), { traces: [session(12)] })
    expect(wholeBill.worst).toBe(long.wholeBill.ratio)
    expect(wholeBill.mean).toBeGreaterThan(wholeBill.ratio ?? Infinity)
    expect(wholeBill.injectedTokenShare).toBeGreaterThan(0.5)
  })
})
