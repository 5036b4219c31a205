import { hash } from 'node:crypto'
import { argv, stdout } from 'node:process'
import { writeFileSync } from 'node:fs'
import { careful, createCompiler, policies, thrifty } from '../src/compiler/index.ts'
import type { Policy } from '../src/core/index.ts'
import { passThrough, plainRules, prehend, renderer, replayTrace, strategyReport } from '../src/inspect/index.ts'
import type { Strategy, Trace } from '../src/inspect/index.ts'
import { memoCounter } from '../src/tokens/index.ts'
import { madeKinds, madeLines, madeTraces } from './made-sessions/made-sessions.ts'
import type { Half } from './made-sessions/made-sessions.ts'
import { markdownTable } from './markdown-table.ts'
import { percent, ratio } from './share-text.ts'

/*
 * What stays of browsers, mails, tables, notebooks, handbooks and logs, on sessions that were made for the purpose.
 *
 *   node bench/made-sessions.ts [built|held-out] [WINDOW]
 *   node bench/made-sessions.ts write FOLDER
 */

const gated: readonly Policy[] = [careful, policies.balanced, thrifty]
const rules = plainRules({})
const counter = memoCounter(rules.tokenizer)
const count = (text: string): number => counter.count(text)

function strategyOf(policy: Policy, windowTokens: number): Strategy {
  return prehend({
    name: policy.id,
    policy,
    prices: rules.prices,
    openCompiler: () => createCompiler({ tokenizer: rules.tokenizer, hash: (text) => hash('sha256', text, 'hex') }),
    windowTokens,
    chargeTool: 'always',
  })
}

/** Of an agent in a browser: what a reader of its last request may still compare. */
const seen: readonly (readonly [what: string, form: RegExp])[] = [
  ['links', /^.*(?:link "|<a aria-label=product>).*$/gm],
  ['prices', /(?:[$£]\d[\d.,]+|\d[\d.,]+ €)/g],
  ['states', /In stock|Sold out|Only 3 left|Back in May/g],
  ['details', /(?:Returns|Rückgabe|Shipping|Versand):? .*/g],
]

function stands(traces: readonly Trace[], strategy: Strategy): Readonly<Record<string, string>> {
  const counts = seen.map((): [number, number] => [0, 0])
  for (const trace of traces) {
    const run = strategy.start(renderer({ count }))
    let sent: readonly string[] = []
    for (const request of trace.requests)
      sent = run.next(request).map(({ observation, text }) => (observation ? text : ''))
    const all =
      trace.requests
        .at(-1)
        ?.messages.flatMap(({ items }) => items.map(({ kind, text }) => (kind === 'tool-result' ? text : ''))) ?? []
    seen.forEach(([, form], at) => {
      const found = counts[at]
      if (found === undefined) return
      found[0] += sent.join('\n').match(form)?.length ?? 0
      found[1] += all.join('\n').match(form)?.length ?? 0
    })
  }
  return Object.fromEntries(seen.map(([what], at) => [what, counts[at]?.join(' of ') ?? '']))
}

function table(half: Half, windowTokens: number): string {
  const options = { count, openCache: rules.openCache, outputPrice: rules.outputPrice, clock: () => performance.now() }
  const rows = madeKinds.flatMap((kind) => {
    const traces = madeTraces(kind, half)
    const baselines = traces.map((trace) => replayTrace(trace, passThrough(), options))
    return gated.map((policy) => {
      const strategy = strategyOf(policy, windowTokens)
      const pairs = traces.map((trace, at) => ({
        figures: replayTrace(trace, strategy, options),
        baseline: baselines[at] as (typeof baselines)[0],
      }))
      const report = strategyReport(policy.id, pairs)
      return {
        kind,
        'policy': `\`${policy.id}\``,
        'cost': ratio(report.costRatio),
        'settled': ratio(report.settledAllCostRatio),
        'worst': ratio(report.worstTraceCostRatio),
        'needles': percent(report.needleRecall),
        'lines': percent(report.needleLineRecall),
        ...Object.fromEntries(report.recallByAge.map(({ steps, recall }) => [steps, percent(recall)])),
        'shortened': percent(report.recallWhereShortened),
        'hidden failures': String(report.failuresHidden),
      }
    })
  })
  const browser = gated.map((policy) => ({
    policy: `\`${policy.id}\``,
    ...stands(madeTraces('browser', half), strategyOf(policy, windowTokens)),
  }))
  return `${markdownTable(rows)}\n\nOf the browser's results stand in the last request:\n\n${markdownTable(browser)}\n`
}

const [mode = 'built', given = ''] = argv.slice(2)
if (mode === 'write')
  for (const kind of madeKinds)
    for (const half of ['built', 'held-out'] as const)
      writeFileSync(`${given}/${kind}.${half}.jsonl`, `${madeLines(kind, half)}\n`)
else stdout.write(table(mode as Half, given === '' ? 1_000_000 : Number(given)))
