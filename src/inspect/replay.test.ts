import { describe, expect, it } from 'vitest'
import { providerRules } from './billing-rules.ts'
import type { BillingProvider } from './billing-rules.ts'
import { plainCache } from './cache-bill.ts'
import { batchMask, keepLast, passThrough, slidingWindow } from './plain-strategies.ts'
import { compact } from './provider-strategies.ts'
import { replay } from './replay.ts'
import { asTrace, sessionRequests } from './session-record.ts'
import type { Item } from '../core/index.ts'
import type { ReplayReport } from './report.ts'
import type { ReplayInput } from './replay.ts'
import type { Strategy } from './strategy.ts'
import type { Trace } from './trace.ts'

const place = { file: 'test.jsonl', line: 1, field: '' }

/** A session with a prompt of 10 characters, then calls of 12 with results as given. */
function session(results: readonly string[], needles?: readonly [step: number, text: string, source: number][]): Trace {
  const messages: Record<string, unknown>[] = [{ role: 'user', content: 'the prompt' }]
  for (const [index, content] of results.entries()) {
    messages.push({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: `c${index}`, name: 'ls', arguments: '{"a":"bcd"}' }],
    })
    messages.push({ role: 'tool', tool_call_id: `c${index}`, content })
  }
  messages.push({ role: 'assistant', content: 'done' })
  const rows = needles?.map(([step, text, source]) => ({ place, step, text, sources: [source] }))
  return asTrace('s', sessionRequests({ messages } as never, place), rows)
}

function run(
  traces: readonly Trace[],
  strategies: readonly Strategy[],
  options: Partial<ReplayInput> = {},
): ReplayReport {
  let now = 0
  const bench = replay({
    strategies,
    provider: 'plain',
    count: (text) => text.length,
    openCache: () => plainCache({ read: 0.1, write: 1 }),
    outputPrice: 5,
    clock: () => (now += 1),
    ...options,
  })
  for (const trace of traces) bench.add(trace)
  return bench.report()
}

it('takes as many traces as there are, each of one request', () => {
  const one = session([])
  const report = run(
    Array.from({ length: 200_000 }, () => one),
    [passThrough()],
  )
  expect(report).toMatchObject({ traces: 200_000, requests: 200_000 })
  expect(report.strategies[0]).toMatchObject({ costRatio: 1, worstTraceCostRatio: 1 })
})

describe('replay: steps', () => {
  const results = ['x'.repeat(500), 'y'.repeat(500), 'z'.repeat(500), 'w'.repeat(500)]

  it('C-014, N-14: reports what each request with old results saves, beside what the session does', () => {
    const [whole, kept] = run([session(results)], [passThrough(), keepLast(1)]).strategies
    expect(whole?.perStep).toEqual({ steps: 2, meanTokens: 0, medianTokens: 0, meanCost: 0, medianCost: 0 })
    const { steps, meanTokens, medianTokens, meanCost } = kept?.perStep ?? {}
    expect(steps).toBe(2)
    // Of three results of 500 characters one stands, of four one.
    expect(meanTokens).toBeGreaterThan((2 / 3 + 3 / 4) / 2 - 0.15)
    expect(meanTokens).toBeLessThan((2 / 3 + 3 / 4) / 2)
    expect(medianTokens).toBeGreaterThan(meanTokens ?? 1)
    // What is written anew costs more than it saves in so short a session.
    expect(meanCost).toBeLessThan(meanTokens ?? 0)
    expect(kept?.tokenRatio).toBeGreaterThan(1 - (meanTokens ?? 0))
  })

  it('has none where no request holds old results', () => {
    const [row] = run([session(results.slice(0, 2))], [keepLast(1)]).strategies
    expect(row?.perStep).toEqual({ steps: 0, meanTokens: null, medianTokens: null, meanCost: null, medianCost: null })
  })
})

describe('replay: cost', () => {
  it('reports on as many sessions as a log of single requests may hold', () => {
    const one = session([])
    const [row] = run(
      Array.from({ length: 150_000 }, () => one),
      [passThrough()],
    ).strategies
    expect(row).toMatchObject({ costRatio: 1, worstTraceCostRatio: 1, tokens: 1_500_000 })
  })

  it('is told in money where the price of a million input tokens is known', () => {
    const [known] = run([session([])], [passThrough()], { inputDollars: 3 }).strategies
    expect(known?.dollars).toBeCloseTo(10 * 3e-6, 12)
    expect(run([session([])], [passThrough()]).strategies[0]?.dollars).toBeNull()
  })

  it('charges the leading messages that came again at the read price and all else at the write price', () => {
    // Requests of 10, 10 + 13 + 100 and 123 + 13 + 50 characters; a call counts its name and its arguments.
    const [row] = run([session(['x'.repeat(100), 'y'.repeat(50)])], [passThrough()]).strategies
    expect(row).toMatchObject({
      tokens: 10 + 123 + 186,
      breaks: 0,
      costRatio: 1,
      tokenRatio: 1,
      worstTraceCostRatio: 1,
    })
    expect(row?.cost).toBeCloseTo(10 + (113 + 1) + (63 + 12.3))
    expect(row?.cachedShare).toBeCloseTo(133 / 319)
  })

  it('charges what is written when the provider does', () => {
    const openCache = () => plainCache({ read: 0.1, write: 1.25 })
    const [row] = run([session(['x'.repeat(100)])], [passThrough()], { openCache }).strategies
    expect(row?.cost).toBeCloseTo(12.5 + 113 * 1.25 + 1)
  })

  it('counts a break, and charges the changed suffix again', () => {
    const trace = session(['x'.repeat(100), 'y'.repeat(100)])
    const [row] = run([trace], [keepLast(1)]).strategies
    const mask = '[Old tool output omitted: 100 characters]'.length
    // The third request changes its third message, so only the first two are read.
    expect(row?.breaks).toBe(1)
    expect(row?.cost).toBeCloseTo(10 + 114 + (23 * 0.1 + mask + 113))
    expect(row?.tokenRatio).toBeCloseTo((10 + 123 + 23 + mask + 113) / (10 + 123 + 236))
  })

  it('finds the dearest single trace', () => {
    const steady = session(['short'])
    const broken = session(['x'.repeat(100), 'y'.repeat(1000)])
    const [row] = run([steady, broken], [keepLast(1)]).strategies
    const [alone] = run([broken], [keepLast(1)]).strategies
    expect(row?.worstTraceCostRatio).toBe(alone?.costRatio)
  })

  it('is n/a without traces', () => {
    const [row] = run([], [keepLast(1)]).strategies
    expect(row).toMatchObject({ tokens: 0, tokenRatio: null, costRatio: null, worstTraceCostRatio: null, p50Ms: null })
  })

  it('times each request of the plain run', () => {
    expect(run([session(['a', 'b'])], [passThrough()]).strategies[0]).toMatchObject({ p50Ms: 1, p99Ms: 1 })
  })
})

describe('replay: retention', () => {
  const file = 'first line\nconst needleName = 1\nlast line'

  it('finds needles and their lines where nothing was left out', () => {
    const report = run([session([file, 'other'], [[5, 'needleName', 2]])], [passThrough()])
    expect(report.strategies[0]).toMatchObject({
      needleRecall: 1,
      needleLineRecall: 1,
      rehydrations: 0,
      settledCostRatio: 1,
    })
  })

  it('misses both where the observation is masked', () => {
    const report = run([session([file.repeat(3), 'other'], [[5, 'needleName', 2]])], [keepLast(1)])
    expect(report.strategies[0]).toMatchObject({ needleRecall: 0, needleLineRecall: 0, rehydrations: 1 })
  })

  it('does not take a bag of words for the line', () => {
    const report = run([session([file, 'other'], [[5, 'needleName', 2]])], [shortening(() => 'names: needleName')])
    expect(report.strategies[0]).toMatchObject({ needleRecall: 1, needleLineRecall: 0 })
  })

  it('takes the line wherever tool output shows it', () => {
    const moved = session([file, `seen before\nconst needleName = 1\n`], [[5, 'needleName', 2]])
    expect(run([moved], [keepLast(1)]).strategies[0]).toMatchObject({ needleRecall: 1, needleLineRecall: 1 })
  })

  it('does not take part of a longer line for the line', () => {
    const longer = session([file, `12: const needleName = 1\n`], [[5, 'needleName', 2]])
    expect(run([longer], [keepLast(1)]).strategies[0]).toMatchObject({ needleLineRecall: 0 })
  })

  it('is n/a without needles', () => {
    const report = run([session(['a'])], [passThrough()])
    expect(report.strategies[0]).toMatchObject({
      needleRecall: null,
      needleLineRecall: null,
      settledCostRatio: null,
      rehydrations: null,
    })
  })
})

describe('replay: settled cost', () => {
  it('adds one request over the whole context and what came back, which stays', () => {
    const lines = Array.from({ length: 200 }, (_, index) => `line ${String(index).padStart(3, '0')} of the file`)
    const text = lines.join('\n')
    const trace = session([text, 'other'], [[5, 'line 100 of', 2]])
    const [row] = run([trace], [keepLast(1)]).strategies
    const [plain] = run([session([text, 'other'])], [keepLast(1)]).strategies
    const mask = `[Old tool output omitted: ${text.length} characters]`
    const context = 10 + 13 + mask.length + 13 + 'other'.length
    const call = 'rehydrate'.length + JSON.stringify({ handle: 'm2', lines: '61-141' }).length
    const window = lines.slice(60, 141).join('\n').length
    const settled = (plain?.cost ?? 0) + 0.1 * context + call + window
    expect(row?.rehydrations).toBe(1)
    expect((row?.settledCostRatio ?? 0) * (run([trace], [passThrough()]).strategies[0]?.cost ?? 0)).toBeCloseTo(settled)
  })

  it('fetches a line once for as long as it stays in the context', () => {
    const file = `const needleName = 1\n${'x'.repeat(200)}`
    const trace = session(
      [file, 'a', 'b', 'c'],
      [
        [5, 'needleName', 2],
        [7, 'needleName', 2],
      ],
    )
    expect(run([trace], [shortening((text) => text.slice(0, 5))]).strategies[0]).toMatchObject({ rehydrations: 1 })
  })

  it('fetches it again when the strategy shrinks what came back', () => {
    const file = `const needleName = 1\n${'x'.repeat(200)}`
    const trace = session(
      [file, 'a', 'b', 'c'],
      [
        [5, 'needleName', 2],
        [9, 'needleName', 2],
      ],
    )
    expect(run([trace], [keepLast(1)]).strategies[0]).toMatchObject({ rehydrations: 2 })
  })

  it('one window serves every needle in it', () => {
    const file = `const one_name = 1\nconst two_name = 2\n${'x'.repeat(200)}`
    const trace = session(
      [file, 'a'],
      [
        [5, 'one_name', 2],
        [5, 'two_name', 2],
      ],
    )
    expect(run([trace], [keepLast(1)]).strategies[0]).toMatchObject({ rehydrations: 1 })
  })
})

/** Shows the first observation as something else, from the second request on that has it. */
function shortening(shorten: (text: string) => string): Strategy {
  return {
    name: 'shortening',
    start: (renderer) => ({
      next: (request) =>
        request.messages.map((message) => {
          const show = (item: Item) =>
            item.id === 'm2.0' && request.messages.length > 3 ? shorten(item.text) : undefined
          return renderer.withShown(message, show)
        }),
    }),
  }
}

describe('strategies', () => {
  it('batch masking breaks the prefix once for many observations', () => {
    const long = Array.from({ length: 12 }, (_, index) => `${index} `.repeat(100))
    const report = run([session(long)], [keepLast(2), batchMask({ high: 5, low: 2 })])
    // The sixth live observation is one too many: that is observation 6, then, with two left live, observation 10.
    expect(report.strategies.map((row) => row.breaks)).toEqual([10, 2])
  })

  it('a mask is never longer than what it stands for', () => {
    const report = run([session(['ok', 'ok', 'ok'])], [keepLast(1)])
    expect(report.strategies[0]).toMatchObject({ tokenRatio: 1, breaks: 0 })
  })

  it('the sliding window drops whole turns, oldest first, and keeps the opening and the newest turn', () => {
    const sent: string[][] = []
    const strategy = slidingWindow(150)
    const spying: Strategy = {
      name: strategy.name,
      start(renderer) {
        const inner = strategy.start(renderer)
        return {
          next(request) {
            const messages = inner.next(request)
            sent.push(messages.map((message) => message.sourceId))
            return messages
          },
        }
      },
    }
    run([session(['x'.repeat(60), 'y'.repeat(60), 'z'.repeat(200)])], [spying])
    expect(sent).toEqual([['m0'], ['m0', 'm1', 'm2'], ['m0', 'm3', 'm4'], ['m0', 'm5', 'm6']])
  })
})

describe('replay: what caching saves', () => {
  const aMinuteMs = 60_000

  /** A session of six long results, asked for by and by. */
  function paced(gapMs: number, chars = 2000): Trace {
    const trace = session(Array.from({ length: 6 }, (_, index) => `${index}`.repeat(chars)))
    return { ...trace, requests: trace.requests.map((request, index) => ({ ...request, atMs: index * gapMs })) }
  }

  const sizes = (chars: number): number[] => Array.from({ length: 7 }, (_, index) => 10 + index * (13 + chars))
  const all = (of: readonly number[]): number => of.reduce((sum, size) => sum + size, 0)

  function billed(traces: readonly Trace[], provider: BillingProvider, strategy: Strategy = passThrough()) {
    const { openCache } = providerRules(provider)
    return run(traces, [strategy], { openCache }).strategies[0]!
  }

  it('N-02: is a share of the input cost without any cache, after lifetimes, least sizes and what writing costs', () => {
    const [first = 0, second = 0, ...later] = sizes(2000)
    const total = all(sizes(2000))
    // What is shorter than is cached costs its price; then what came before is read, and the rest written.
    const paid = later.reduce((sum, size) => sum + 0.1 * (size - 2013) + 1.25 * 2013, first + 1.25 * second)
    const warm = billed([paced(aMinuteMs)], 'anthropic')
    expect(warm.uncachedCost).toBe(total)
    expect(warm.cachingSaves).toBeCloseTo(1 - paid / total, 9)
    expect(warm.cachingSaves).toBeGreaterThan(0.4)
    const cold = billed([paced(10 * aMinuteMs)], 'anthropic')
    expect(cold.cachingSaves).toBeCloseTo(1 - (first + 1.25 * (total - first)) / total, 9)
    expect(cold.cachingSaves).toBeLessThan(-0.2)
    expect(billed([paced(aMinuteMs, 100)], 'anthropic').cachingSaves).toBe(0)
  })

  it('N-02: is told of the session in which it is least, where writing may cost more than was read', () => {
    const { cachingSaves, leastTraceCachingSaves } = billed([paced(aMinuteMs), paced(10 * aMinuteMs)], 'anthropic')
    expect(leastTraceCachingSaves).toBeCloseTo(billed([paced(10 * aMinuteMs)], 'anthropic').cachingSaves!, 9)
    expect(cachingSaves).toBeGreaterThan(leastTraceCachingSaves!)
  })

  it('N-02: a provider that writes for nothing cannot cost more than no cache', () => {
    for (const gapMs of [aMinuteMs, 1000 * aMinuteMs])
      expect(billed([paced(gapMs)], 'deepseek').leastTraceCachingSaves).toBeGreaterThanOrEqual(0)
  })

  it('leaves out what a strategy has a model write, which no cache makes cheaper', () => {
    const [row] = run([paced(aMinuteMs)], [compact({ trigger: 3000, summary: 100 })]).strategies
    expect(row!.uncachedCost).toBeGreaterThan(row!.tokens)
    expect(row!.cachingSaves).toBeCloseTo(1 - (row!.cost - (row!.uncachedCost - row!.tokens)) / row!.tokens, 9)
  })

  it('is not told of nothing', () => {
    expect(run([], [passThrough()]).strategies[0]).toMatchObject({ cachingSaves: null, leastTraceCachingSaves: null })
  })
})
