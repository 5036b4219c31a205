import { describe, expect, it } from 'vitest'
import { careful } from '../compiler/index.ts'
import { rehydrateTool } from '../sessions/index.ts'
import { billingProviders, plainRules, providerRules } from './billing-rules.ts'
import type { BillingRules } from './billing-rules.ts'
import { policyStrategies } from './policy-strategies.ts'
import { replay } from './replay.ts'
import { asTrace, sessionRequests } from './session-record.ts'
import type { Trace } from './trace.ts'

const rules: readonly BillingRules[] = [
  plainRules(),
  ...billingProviders.filter((name) => name !== 'google').map((name) => providerRules(name)),
]

/** A run of tools: instructions of so many words, then so many calls that return so many lines each. */
function runOf(calls: number, words: number, linesOf: (call: number) => readonly string[]): Trace {
  const at = 1_700_000_000
  const called = Array.from({ length: calls }, (_, call) => [
    { role: 'assistant', tool_calls: [{ id: `c${call}`, name: 'look_up', arguments: `{"number":${call}}` }] },
    { role: 'tool', tool_call_id: `c${call}`, content: linesOf(call).join('\n'), ts: at + 10 * (call + 1) },
  ])
  const messages = [
    { role: 'system', content: `${'word '.repeat(words)}of the rules that hold here.` },
    { role: 'user', content: 'Change my flight.', ts: at },
    ...called.flat(),
    { role: 'assistant', content: 'Done.' },
  ]
  return asTrace('run', sessionRequests({ messages }, { file: 'x', line: 1, field: '' }))
}

const short = (call: number): readonly string[] => [`Reservation ${call} stands on ${call + 2} May, seat ${call}A.`]
const long = (call: number): readonly string[] =>
  Array.from(
    { length: 30 },
    (_, line) => `row ${line} of listing ${call}: nothing here is said a second time ${call * line}`,
  )

/** A talk in which a tool is asked first: instructions of so many words, a record with white space, then so many answers in words. */
function talkOf(words: number, record: object, answers: number): Trace {
  const at = 1_700_000_000
  const said = Array.from({ length: answers }, (_, turn) => [
    { role: 'assistant', content: `It cannot be changed, for reason ${turn}.` },
    { role: 'user', content: `And if I ask for the ${turn + 2}th time?`, ts: at + 10 * (turn + 2) },
  ])
  const messages = [
    { role: 'system', content: `${'word '.repeat(words)}of the rules that hold here.` },
    { role: 'user', content: 'Change my flight.', ts: at },
    { role: 'assistant', tool_calls: [{ id: 'c', name: 'look_up', arguments: '{}' }] },
    { role: 'tool', tool_call_id: 'c', content: JSON.stringify(record, undefined, 2), ts: at + 10 },
    ...said.flat(),
    { role: 'assistant', content: 'Done.' },
  ]
  return asTrace('talk', sessionRequests({ messages }, { file: 'x', line: 1, field: '' }))
}

const flight = (number: number) => ({ number, from: 'CLT', to: 'PHX', day: '20 May', price: 51 + number })

function costOf(trace: Trace, billing: BillingRules): number {
  const { name: provider, tokenizer, outputPrice, openCache } = billing
  const strategies = policyStrategies([{ name: 'p', policy: careful }], billing)
  const run = replay({ strategies, provider, count: tokenizer.count, outputPrice, openCache, clock: () => 0 })
  run.add(trace)
  return run.report().strategies[0]?.costRatio ?? NaN
}

describe.each(rules)('what our tool costs, by the rules of $name', (billing) => {
  it('its definition takes 120 tokens at most', () => {
    expect(billing.tokenizer.count(JSON.stringify(rehydrateTool.definition))).toBeLessThanOrEqual(120)
  })

  it.each([
    ['ten requests in which nothing can be shortened', runOf(9, 1_200, short)],
    ['thirty of them', runOf(29, 1_200, short)],
    ['instructions that no provider caches', runOf(19, 100, short)],
    ['results that are long, and too few to pay for a change', runOf(11, 100, long)],
    ['results that pay for one', runOf(60, 1_200, long)],
  ])('a run costs no more than sending everything: %s', (_, trace) => {
    expect(trace.requests.length).toBeGreaterThanOrEqual(10)
    // The definition alone: 112 tokens as Claude counts them, written to the cache once and then read.
    expect(costOf(trace, billing)).toBeLessThanOrEqual(billing.name === 'openai' ? 1.01 : 1.001)
  })
})

describe('a cache that is read in whole blocks', () => {
  const deepseek = providerRules('deepseek')
  const dearest = (flights: number, answers: number): number => {
    const record = { flights: Array.from({ length: flights }, (_, number) => flight(number)) }
    // Wherever the borders of the blocks stand.
    const costs = Array.from({ length: 128 }, (_, words) => costOf(talkOf(200 + words, record, answers), deepseek))
    return Math.max(...costs)
  }

  it('what saves less than half a block would move its borders, and stays as it came in a short session', () => {
    expect(dearest(1, 5)).toBe(1)
  })

  it('what saves more comes in shortened', () => {
    const record = { flights: Array.from({ length: 8 }, (_, number) => flight(number)) }
    expect(costOf(talkOf(200, record, 5), deepseek)).toBeLessThan(0.95)
  })

  it('as it does where any prefix can be read', () => {
    expect(costOf(talkOf(200, { flights: [flight(1)] }, 5), plainRules())).toBeLessThan(1)
  })
})
