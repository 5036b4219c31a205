import { describe, expect, it } from 'vitest'
import { referenceMarker } from '../../ladders/index.ts'
import type { Item } from '../../core/index.ts'
import { plainCache } from '../cache-bill.ts'
import { passThrough } from '../plain-strategies.ts'
import { replay } from '../replay.ts'
import type { StrategyReport } from '../report.ts'
import { asTrace, sessionRequests } from '../session-record.ts'
import type { Strategy } from '../strategy.ts'
import type { Trace } from '../trace.ts'

const place = { file: 'test.jsonl', line: 1, field: '' }

interface Step {
  readonly call: object
  readonly result: string
}

function session(steps: readonly Step[]): Trace {
  const messages = [
    { role: 'user', content: 'Mend the total.' },
    ...steps.flatMap(({ call, result }, index) => {
      const tool_calls = [{ id: `c${index}`, name: 'edit', arguments: JSON.stringify(call) }]
      return [
        { role: 'assistant', content: null, tool_calls },
        { role: 'tool', tool_call_id: `c${index}`, content: result },
      ]
    }),
    { role: 'assistant', content: 'done' },
  ]
  return asTrace('s', sessionRequests({ messages }, place))
}

/** Shows items otherwise once something has come after them. */
const showing = (show: (item: Item) => string): Strategy => ({
  name: 'showing',
  start: (renderer) => ({
    next: ({ messages }) =>
      messages.map((message, index) =>
        index >= messages.length - 2
          ? renderer.asRecorded(message)
          : renderer.withShown(message, (item) => {
              const text = show(item)
              return text === item.text ? undefined : text
            }),
      ),
  }),
})

function rowOf(trace: Trace, strategy: Strategy): StrategyReport {
  let now = 0
  const bench = replay({
    strategies: [strategy],
    provider: 'plain',
    count: (text) => text.length,
    openCache: () => plainCache({ read: 0.1, write: 1 }),
    outputPrice: 5,
    clock: () => (now += 1),
  })
  bench.add(trace)
  return bench.report().strategies[0]!
}

const written = {
  path: 'total.py',
  content: 'import sum_lib\ndef grand_total(rows):\n    return sum_lib.add_all(rows)\n',
}
const edit = { path: 'total.py', old_str: 'def grand_total(rows):', new_str: 'def grand_total(rows, tax):' }
const padding = { call: { path: 'x' }, result: 'fine' }
const trace = session([{ call: written, result: 'written' }, padding, { call: edit, result: 'edited' }])

describe('what the agent has written itself', () => {
  it('is measured: hiding it costs recall, edits and money, though no needle stands there', () => {
    const hidden = rowOf(
      trace,
      showing(({ kind, text }) => (kind === 'tool-call' ? '{"path":"…"}' : text)),
    )
    const whole = rowOf(trace, passThrough())
    expect(whole).toMatchObject({ ownCallLineRecall: 1, editTextRecall: 1, rehydrationsAll: 0 })
    expect(hidden).toMatchObject({ needleRecall: null, ownCallLineRecall: 0, editTextRecall: 0 })
    expect(hidden.rehydrationsAll).toBeGreaterThan(0)
    const alone = hidden.costRatio ?? Number.NaN
    expect(hidden.settledAllCostRatio).toBeGreaterThan(alone)
  })

  it('is read as the tool got it: a line of a written file is a line, whatever JSON makes of it', () => {
    const lineOnly = JSON.stringify({ text: 'total.py\ndef grand_total(rows):\ny' })
    const kept = rowOf(
      trace,
      showing(({ kind, text }) => (kind === 'tool-call' ? lineOnly : text)),
    )
    expect(kept).toMatchObject({ ownCallLineRecall: 1, editTextRecall: 1 })
  })

  it('counts by the steps since it was last there', () => {
    const steps = [{ call: written, result: 'written' }, ...Array.from({ length: 12 }, () => padding)]
    const late = rowOf(session([...steps, { call: edit, result: 'edited' }]), passThrough())
    const strings = late.recallByAge.map(({ steps: age, ownStrings }) => [age, ownStrings])
    expect(strings).toEqual([
      ['1-3', 0],
      ['4-10', 0],
      ['11-20', 2],
      ['21-40', 0],
      ['41+', 0],
    ])
  })
})

describe('edits', () => {
  it('one of which one line of several is missing is missing', () => {
    const file = 'first line here\nsecond line here\nthird line here'
    const both = { old_str: 'first line here\nthird line here', new_str: 'x' }
    const reading = session([{ call: { path: 'a' }, result: file }, padding, { call: both, result: 'ok' }])
    const without = (line: string) =>
      rowOf(
        reading,
        showing(({ kind, text }) => (kind === 'tool-result' ? text.replace(line, '…') : text)),
      )
    expect(without('second line here').editTextRecall).toBe(1)
    expect(without('third line here').editTextRecall).toBe(0)
  })

  it('what the history never held is not asked of it', () => {
    const guess = { old_str: 'nobody has seen this', new_str: 'x' }
    const row = rowOf(session([padding, { call: guess, result: 'not found' }]), passThrough())
    expect(row.editTextRecall).toBeNull()
  })
})

describe('what a reader cannot take rightly', () => {
  const block = Array.from({ length: 6 }, (_, index) => `value number ${index}`)
  const twice = [...block, 'between', ...block.slice(0, 3), 'and then other lines'].join('\n')
  const again = [...block, 'end'].join('\n')
  const repeated = session([{ call: { path: 'a' }, result: twice }, { call: { path: 'b' }, result: again }, padding])
  const standsFor = (first: number, last: number): string =>
    referenceMarker({ step: 1, call: false, lines: last - first + 1, first, last, handle: 'abcd1234' })
  const referring = (shown: string): Strategy => ({
    name: 'referring',
    start: (renderer) => ({
      next: ({ messages }) =>
        messages.map((message) => renderer.withShown(message, ({ text }) => (text === again ? shown : undefined))),
    }),
  })

  it('references that lead to several places are counted once, and their lines where nobody had read them', () => {
    const row = rowOf(repeated, referring(`value number 0\n${standsFor(2, 6)}\nend`))
    expect(row.referencesAmbiguous).toBeGreaterThan(0)
    expect(row.unreadLinesReplaced).toBe(5)
    const exact = rowOf(
      repeated,
      referring(`value number 0\nvalue number 1\nvalue number 2\nvalue number 3\n${standsFor(5, 6)}\nend`),
    )
    expect(exact).toMatchObject({ referencesAmbiguous: 0, unreadLinesReplaced: 0 })
  })

  it('a failure of which no word is left is hidden, once', () => {
    const failing = session([{ call: { command: 'make' }, result: 'cc a.c\nerror: no such header' }, padding, padding])
    const shown = (text: string) =>
      rowOf(
        failing,
        showing((item) => (item.text.startsWith('cc a.c') ? text : item.text)),
      ).failuresHidden
    expect([shown('[Tool: make - ok]'), shown('… error: no such header')]).toEqual([1, 0])
  })
})
