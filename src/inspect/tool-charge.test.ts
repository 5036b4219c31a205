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

function costOf(trace: Trace, billing: BillingRules): number {
  const { name: provider, tokenizer, outputPrice, openCache } = billing
  const strategies = policyStrategies([{ name: 'p', policy: careful }], billing)
  const run = replay({ strategies, provider, count: tokenizer.count, outputPrice, openCache, clock: () => 0 })
  run.add(trace)
  return run.report().strategies[0]?.costRatio ?? NaN
}

describe.each(rules)('what our tool costs, by the rules of $name', (billing) => {
  it('its definition takes 60 tokens at most', () => {
    expect(billing.tokenizer.count(JSON.stringify(rehydrateTool.definition))).toBeLessThanOrEqual(60)
  })

  it.each([
    ['ten requests in which nothing can be shortened', runOf(9, 1_200, short)],
    ['thirty of them', runOf(29, 1_200, short)],
    ['instructions that no provider caches', runOf(19, 100, short)],
    ['results that are long, and too few to pay for a change', runOf(11, 100, long)],
    ['results that pay for one', runOf(60, 1_200, long)],
  ])('a run costs no more than sending everything: %s', (_, trace) => {
    expect(trace.requests.length).toBeGreaterThanOrEqual(10)
    expect(costOf(trace, billing)).toBeLessThanOrEqual(billing.name === 'openai' ? 1.01 : 1)
  })
})
