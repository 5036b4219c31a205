import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { InjectionDetector } from '../../core/index.ts'
import { encodeColumns, minifyJson } from '../../ladders/index.ts'
import { heuristicTokenizer } from '../../tokens/index.ts'
import { plainRules } from '../billing-rules.ts'
import { passThrough, slidingWindow } from '../plain-strategies.ts'
import { readTrace } from '../read-trace.ts'
import type { Strategy } from '../strategy.ts'
import type { Trace } from '../trace.ts'
import { compactionLoss, readCompactions } from './compaction-loss.ts'
import { fidelityCurve } from './fidelity-curve.ts'
import { outputMeasure } from './output-report.ts'
import { outputShape, outputsOf, readOutputs } from './recorded-output.ts'
import { structuredRoundTrip } from './structured-round-trip.ts'
import { valueMeasure } from './value-retention.ts'

const { count } = heuristicTokenizer
const call = (id: string, path: string) => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id, name: 'read', arguments: JSON.stringify({ path }) }],
})
const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content })
const log = (from: number) =>
  Array.from({ length: 80 }, (_, at) => `entry ${from + at}: nothing to report here`).join('\n')

/** Reads two files, has the first summarised, reads it again and uses a name of each. */
const session = {
  id: 's1',
  messages: [
    { role: 'user', content: 'Find the owner.' },
    call('a', 'one.log'),
    result('a', `${log(0)}\nowner is alpha_team_7\n${log(100)}`),
    call('b', 'two.log'),
    result('b', `${log(300)}\nbackup is beta_team_9\n${log(400)}`),
    call('c', 'one.log'),
    result('c', `${log(0)}\nfresh line of the day\n`),
    call('d', 'alpha_team_7/beta_team_9'),
  ],
  events: [{ after_message: 4, summary: 'The backup is beta_team_9.', firstKeptEntryIndex: 5 }],
}
const needles = [
  { id: 's1', step: 7, needle: 'alpha_team_7', src: [2], n_src: 1 },
  { id: 's1', step: 7, needle: 'beta_team_9', src: [4], n_src: 1 },
]

let folder = ''
const file = (name: string, ...records: readonly unknown[]): string => {
  writeFileSync(join(folder, name), records.map((one) => `${JSON.stringify(one)}\n`).join(''))
  return join(folder, name)
}
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'prehend-outputs-'))
  file('s.jsonl', session)
  file('s.needles.jsonl', ...needles)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function traceOf(path = join(folder, 's.jsonl')): Promise<Trace> {
  for await (const trace of readTrace(path)) return trace
  throw new Error('no trace')
}

const never: InjectionDetector = { id: 'never', score: () => ({ score: 0, reasons: [] }) }

describe('outputs', () => {
  it('are told by the first line that is a record', async () => {
    expect(await outputShape(join(folder, 's.jsonl'))).toBe('sessions')
    expect(await outputShape(file('r.jsonl', { id: 'r', schema: {}, example: null }))).toBe('responses')
    expect(await outputShape(file('t.jsonl', { name: 't', inputSchema: {} }))).toBe('tools')
    expect(await outputShape(file('o.jsonl', { id: 'o' }))).toBe('other')
    writeFileSync(join(folder, 'b.jsonl'), '{\n{"messages":[]}\n')
    expect(await outputShape(join(folder, 'b.jsonl'))).toBe('sessions')
  })

  it('of a session are what tools gave, each once, with what was needed of it', async () => {
    const outputs = outputsOf(await traceOf())
    expect(outputs.map((one) => one.needles)).toEqual([['alpha_team_7'], ['beta_team_9'], []])
  })

  it('are measured by kind: tokens at each level, needed lines that stand whole, what the detector flags', async () => {
    const shouting: InjectionDetector = {
      id: 'backup',
      score: (text) => (text.includes('backup') ? { score: 0.9, reasons: ['tool-order'] } : { score: 0, reasons: [] }),
    }
    const measure = outputMeasure({ count, detector: shouting, threshold: 0.5 })
    for (const output of outputsOf(await traceOf())) measure.add(output)
    const { outputs, kinds, flagged } = measure.report('s')
    expect(outputs).toBe(3)
    const [all, kind] = kinds
    expect(all).toMatchObject({ kind: 'all', outputs: 3, needed: 2 })
    expect(kind?.outputs).toBe(3)
    const { lossless, trimmed, strict, line } = all!.levels
    expect(lossless).toMatchObject({ needed: 1, claimed: 1 })
    expect(trimmed.tokens).toBeLessThan(lossless.tokens)
    expect(strict.tokens).toBeLessThanOrEqual(trimmed.tokens)
    expect(line).toMatchObject({ needed: 0 })
    expect(flagged).toEqual({ outputs: 1, judged: 3, share: 1 / 3, reasons: { 'tool-order': 1 } })
  })

  it('responses and tools are texts of their kinds; a line that is neither is told with its place', async () => {
    const example = [{ id: 1, name: 'a' }]
    const responses = file(
      'r2.jsonl',
      { id: 'r', schema: {}, example },
      { id: 'n', schema: {}, example: null },
      { id: 'x' },
    )
    const told: string[] = []
    const outputs = await readOutputs(responses, { onInvalid: ({ message }) => void told.push(message) })
    expect(outputs.map(({ item }) => JSON.parse(item.text) as unknown)).toEqual([example])
    expect(told).toEqual([expect.stringMatching(/r2\.jsonl:3 example: is missing\. Give/)])
    const tools = await readOutputs(
      file('t2.jsonl', { name: 't', description: 'd', inputSchema: { type: 'object' } }),
      {
        onInvalid: ({ message }) => void told.push(message),
      },
    )
    const measure = outputMeasure({ count, detector: never, threshold: 0.5 })
    for (const tool of tools) measure.add(tool)
    expect(measure.report('t').kinds.map(({ kind }) => kind)).toEqual(['all', 'tool-schema'])
  })
})

describe('a structured form', () => {
  const records = Array.from({ length: 12 }, (_, id) => ({
    id,
    price: `0.${id}`,
    big: 12345678901234567890n.toString(),
  }))
  const text = `[${records.map(({ id, price, big }) => `{"id": ${id}, "price": ${price}0, "big": ${big}, "tag": null}`).join(',\n')}]`

  it('is exact where it decodes to the very text, digit by digit', () => {
    const columns = encodeColumns(minifyJson(text) ?? '') ?? ''
    expect(columns.length).toBeGreaterThan(0)
    expect(structuredRoundTrip(text, columns)).toEqual({ isExact: true, values: 48, lost: 0 })
    expect(structuredRoundTrip(text, minifyJson(text) ?? '')).toMatchObject({ isExact: true })
  })

  it('with a digit, a row or a member less it is not, and what it lacks is counted', () => {
    const plain = minifyJson(text) ?? ''
    expect(structuredRoundTrip(text, plain.replace('"price":0.30', '"price":0.3'))).toMatchObject({ isExact: false })
    expect(structuredRoundTrip(text, plain.replace('"id":7', '"id":8'))).toEqual({
      isExact: false,
      values: 48,
      lost: 1,
    })
    expect(structuredRoundTrip(text, '[…]')).toEqual({ isExact: false, values: 48, lost: 48 })
    expect(structuredRoundTrip('prose', 'prose')).toBeUndefined()
  })

  it('is exact as a table, too, and not where a cell of it is another', () => {
    const rows = '[{"city":"Oslo","id":1},{"city":"Rome","id":2}]'
    for (const table of ['city,id\nOslo,1\nRome,2', '| city | id |\n| --- | --- |\n| Oslo | 1 |\n| Rome | 2 |']) {
      expect(structuredRoundTrip(rows, table)).toEqual({ isExact: true, values: 4, lost: 0 })
      expect(structuredRoundTrip(rows, table.replace('Rome', 'Riga'))).toMatchObject({ isExact: false })
    }
  })

  it('every JSON document comes back from what the ladders make of it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ id: fc.integer(), name: fc.string(), on: fc.boolean() }), { minLength: 4 }),
        (rows) => {
          const measure = outputMeasure({ count, detector: never, threshold: 0.5 })
          const item = {
            id: 'i',
            section: 'history',
            kind: 'tool-result',
            text: JSON.stringify(rows, null, 2),
          } as const
          measure.add({ item, needles: [] })
          const { documents, exact, lost } = measure.report('r').structured
          expect(exact).toBe(documents)
          expect(lost).toBe(0)
        },
      ),
      { numRuns: 100 },
    )
  })
})

describe('the fidelity curve', () => {
  it('P-048, G-079: finds the alpha and beta that its points were made with, and the knee', () => {
    const points = Array.from({ length: 90 }, (_, at) => {
      const removed = 0.1 + at / 100
      return { removed, needed: 1000, kept: 1000 * (1 - 0.8 * removed ** 2.5), claimed: 1 }
    })
    const { alpha, beta, knee, bins } = fidelityCurve(points)
    expect(alpha).toBeCloseTo(0.8, 1)
    expect(beta).toBeCloseTo(2.5, 1)
    expect(bins).toHaveLength(9)
    // The slope 0.8 * 2.5 * r ** 1.5 is 1 there.
    expect(knee).toBeCloseTo(0.5 ** (1 / 1.5), 1)
  })

  it('is none where nothing was lost', () => {
    expect(fidelityCurve([{ removed: 0.5, needed: 3, kept: 3, claimed: 1 }])).toMatchObject({ alpha: null, beta: null })
    expect(fidelityCurve([])).toEqual({ bins: [], alpha: null, beta: null, knee: null })
  })
})

/** Shows the last output only, and hands out a handle for the first. */
const lastOutput: Strategy = {
  name: 'last-output',
  start: (renderer) => ({
    next: ({ messages }) => messages.slice(-1).map((message) => renderer.asRecorded(message)),
    handleOf: (id) => (id === 'm2' ? '482915037114' : undefined),
  }),
}
const refusing: Strategy = {
  ...passThrough(),
  name: 'refusing',
  start: (write) => ({ ...passThrough().start(write), unpacked: () => 'budget-exhausted' }),
}

describe('compactions', () => {
  it('N-10: say what a summary kept of what was used later, and what had to be read again', async () => {
    const recorded = await readCompactions(join(folder, 's.jsonl'))
    const [report] = compactionLoss(await traceOf(), recorded.get('s1') ?? [], {
      count,
      ours: () => [lastOutput, refusing],
    })
    expect(report).toMatchObject({ trace: 's1', after: 4, needed: 2 })
    expect(report!.repeatedCharacters / report!.laterCharacters).toBeGreaterThan(0.95)
    const [real, , last, none] = report!.ways
    expect(real).toMatchObject({ name: 'as recorded', needles: 1, lines: 0, withinReach: 1 })
    expect(real?.reread).toBe(report?.repeatedCharacters)
    expect(last).toMatchObject({ name: 'last-output', needles: 1, lines: 1, withinReach: 2 })
    expect(none).toMatchObject({ unpacked: 'budget-exhausted', needles: 0 })
  })

  it('sessions without any have none', async () => {
    const plain = file('p.jsonl', { ...session, events: undefined })
    expect((await readCompactions(plain)).size).toBe(0)
    expect(compactionLoss(await traceOf(plain), [], { count, ours: () => [] })).toEqual([])
  })
})

describe('values of calls', () => {
  it('stand in the request or not, window by window; what does not fit keeps nothing', async () => {
    const strategies = (windowTokens: number | undefined) =>
      windowTokens === undefined ? [passThrough()] : [slidingWindow(windowTokens), refusing]
    const measure = valueMeasure({
      count,
      openCache: plainRules().openCache,
      strategies,
      windows: [50, 100_000, undefined],
    })
    measure.add(await traceOf())
    expect(measure.report().map(({ name, values, unpacked }) => [name, values, unpacked])).toEqual([
      ['sliding-window', 0, 3],
      ['refusing', 0, 4],
      ['sliding-window', 1, 0],
      ['refusing', 0, 4],
      ['pass-through', 1, 0],
    ])
  })
})
