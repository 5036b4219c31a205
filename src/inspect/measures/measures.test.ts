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
  /** What the agent says beside the call. */
  readonly said?: string
}

function session(steps: readonly Step[]): Trace {
  const messages = [
    { role: 'user', content: 'Mend the total.' },
    ...steps.flatMap(({ call, result, said = null }, index) => {
      const tool_calls = [{ id: `c${index}`, name: 'edit', arguments: JSON.stringify(call) }]
      return [
        { role: 'assistant', content: said, tool_calls },
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

function rowOf(trace: Trace, strategy: Strategy, options: { windowTokens?: number } = {}): StrategyReport {
  let now = 0
  const bench = replay({
    strategies: [strategy],
    provider: 'plain',
    count: (text) => text.length,
    openCache: () => plainCache({ read: 0.1, write: 1 }),
    outputPrice: 5,
    clock: () => (now += 1),
    ...options,
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

  it('a failure that a reference leads to is not hidden, as long as it stands there', () => {
    const lines = ['value number 1', 'value number 2', 'error: no such header']
    const [first, second] = [lines.join('\n'), [...lines, 'end'].join('\n')]
    const failing = session([
      { call: { command: 'make' }, result: first },
      { call: { command: 'make again' }, result: second },
      padding,
      padding,
    ])
    const hidden = (firstShown: string, secondShown: string) =>
      rowOf(
        failing,
        showing(({ text }) => (text === first ? firstShown : text === second ? secondShown : text)),
      ).failuresHidden
    const reference = `${standsFor(1, 3)}\nend`
    expect(hidden(first, reference)).toBe(0)
    expect(hidden('[Tool: make - ok]', reference)).toBe(2)
    expect(hidden(first, 'end')).toBe(1)
  })
})

/** Results otherwise. */
const results = (change: (text: string) => string): Strategy =>
  showing(({ kind, text }) => (kind === 'tool-result' ? change(text) : text))

describe('edits in one piece', () => {
  const file = 'def a():\n    one = first(x)\n    two = second(x)\n    return two'
  const old = '    one = first(x)\n    two = second(x)'
  const read = session([
    { call: { path: 'a' }, result: file },
    padding,
    { call: { old_str: old, new_str: 'x' }, result: 'ok' },
  ])

  it('need the whole old text, not its lines somewhere', () => {
    expect(rowOf(read, passThrough())).toMatchObject({ editTextRecall: 1, editInOnePieceRecall: 1 })
    const apart = rowOf(
      read,
      results((text) => text.replace(old, old.replace('\n', '\n…\n'))),
    )
    expect(apart).toMatchObject({ editTextRecall: 1, editInOnePieceRecall: 0 })
  })

  it('are not asked for where the history had never held them so', () => {
    const parts = session([
      { call: { path: 'a' }, result: '    one = first(x)' },
      { call: { path: 'b' }, result: '    two = second(x)' },
      { call: { old_str: old, new_str: 'x' }, result: 'ok' },
    ])
    expect(rowOf(parts, passThrough())).toMatchObject({ editTextRecall: 1, editInOnePieceRecall: null })
  })

  it('are lost in a request that is refused', () => {
    const refused = rowOf(read, passThrough(), { windowTokens: 20 })
    expect(refused).toMatchObject({ refused: 3, editTextRecall: 0, editInOnePieceRecall: 0 })
  })
})

describe('edits by lines of one place', () => {
  const shared = 'import unittest'
  const told = 'def grand_total(rows):'
  const steps: readonly Step[] = [
    { call: { path: 'a' }, result: `${shared}\n${told}` },
    { call: { path: 'b' }, result: `${shared}\nother` },
    padding,
  ]
  const writing = (path: string, ...lines: readonly string[]): Trace =>
    session([...steps, { call: { command: `cat > ${path} <<EOF\n${lines.join('\n')}\nEOF` }, result: '' }])

  it('do not miss what stands in many files', () => {
    const without = (line: string) =>
      rowOf(
        writing('b', shared, told),
        results((text) => text.replaceAll(line, '…')),
      )
    expect(without(shared)).toMatchObject({ editTextRecall: 0, editOnePlaceRecall: 1, newFileTextRecall: null })
    expect(without(told)).toMatchObject({ editTextRecall: 0, editOnePlaceRecall: 0 })
    expect(rowOf(writing('b', shared), passThrough())).toMatchObject({ editTextRecall: 1, editOnePlaceRecall: null })
  })

  it('leave out a line that stands twice in one place', () => {
    const twice = session([
      { call: { path: 'a' }, result: `${told}\n${told}` },
      { call: { old_str: told, new_str: 'x' }, result: 'ok' },
    ])
    expect(rowOf(twice, passThrough())).toMatchObject({ editTextRecall: 1, editOnePlaceRecall: null })
  })

  it('count files apart that a here-document writes and nobody has named', () => {
    const row = rowOf(
      writing('tests/new_file.py', told),
      results(() => '…'),
    )
    expect(row).toMatchObject({ editTextRecall: 0, editOnePlaceRecall: null, newFileTextRecall: 0 })
  })
})

describe('text of the assistant', () => {
  const later = { call: { path: 'src/total_rows.py' }, result: 'ok' }
  const said = { ...padding, said: 'The fault is in src/total_rows.py.' }

  it('is measured by strings of calls that stood in it alone', () => {
    const hidden = showing(({ kind, role, text }) => (kind === 'text' && role === 'assistant' ? '…' : text))
    const alone = session([said, padding, later])
    expect(rowOf(alone, passThrough()).assistantTextRecall).toBe(1)
    expect(rowOf(alone, hidden)).toMatchObject({ assistantTextRecall: 0, ownCallLineRecall: null })
    for (const elsewhere of [
      { ...padding, result: 'src/total_rows.py' },
      { ...padding, call: { path: 'src/total_rows.py' } },
    ])
      expect(rowOf(session([elsewhere, said, later]), hidden).assistantTextRecall).toBeNull()
  })
})

describe('what is read again', () => {
  const page = 'one line of text\nanother line'
  const again = session([{ call: { path: 'a' }, result: page }, padding, { call: { path: 'a' }, result: page }])
  const brought = 2 * page.replace('\n', '').length + padding.result.length

  it('is repeated whatever is sent, and read again where it was not shown', () => {
    const base = page.replace('\n', '').length / brought
    expect(rowOf(again, passThrough())).toMatchObject({ repeatedShare: base, rereadShare: 0 })
    const half = rowOf(
      again,
      results((text) => text.replace('another line', '…')),
    )
    expect(half).toMatchObject({ repeatedShare: base, rereadShare: 'another line'.length / brought })
  })
})

describe('compactions', () => {
  /** From the request with so many messages on, a brief stands for all but the newest so many, and is written anew each time. */
  const compacting = (from: number, kept: number, text: string): Strategy => ({
    name: 'compacting',
    start(renderer) {
      let brief: { messages: Set<string>; text: string } | undefined
      return {
        next({ messages }) {
          const old = messages.length < from ? [] : messages.slice(1, -kept)
          brief = old.length === 0 ? undefined : { messages: new Set(old.map(({ id }) => id)), text }
          const parts = [{ kind: 'text', text }] as const
          const shown = { role: 'user', text, tokens: text.length, sourceId: '', observation: true, parts } as const
          const rest = messages.filter(({ id }) => brief?.messages.has(id) !== true)
          return [...rest.map((message) => renderer.asRecorded(message)), ...(brief ? [shown] : [])]
        },
        brief: () => brief,
      }
    },
  })
  const own = session([
    { call: written, result: 'error: disk full' },
    padding,
    padding,
    { call: edit, result: 'edited' },
  ])

  it('are counted, and recall is told by how many the newest place has gone through', () => {
    // Requests have 1, 3, 5, 7 and 9 messages: the third and all after it write a brief, of which the fourth makes the edit.
    const row = rowOf(own, compacting(5, 2, '[brief]'))
    expect(row.compactions).toBe(3)
    expect(
      row.recallByCompactions.map(({ compactions, own: { uses, recall } }) => [compactions, uses, recall]),
    ).toEqual([
      ['0', 0, null],
      ['1', 0, null],
      ['2', 2, 0],
      ['3', 0, null],
      ['4+', 0, null],
    ])
    expect(row.recallByCompactions[2]?.edits).toEqual({ uses: 1, recall: 0 })
    expect(rowOf(own, passThrough()).recallByCompactions[0]?.edits).toEqual({ uses: 1, recall: 1 })
  })

  it('keep what the brief says, failures included', () => {
    const brief = 'def grand_total(rows):\nerror: disk full'
    const row = rowOf(own, compacting(5, 2, brief))
    expect(row.recallByCompactions[2]?.edits).toEqual({ uses: 1, recall: 1 })
    expect(row.failuresHidden).toBe(0)
    expect(rowOf(own, compacting(5, 2, '[brief]')).failuresHidden).toBe(1)
  })
})
