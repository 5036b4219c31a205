import { readFileSync } from 'node:fs'
import { hash } from 'node:crypto'
import { argv } from 'node:process'
import { careful, createCompiler, thrifty } from '../src/compiler/index.ts'
import type { Item, Policy, Rendition } from '../src/core/index.ts'
import { compareCodeUnits } from '../src/core/index.ts'
import { fidelityCurve, outputsOf, packTrace, plainRules, prehend, readTrace } from '../src/inspect/index.ts'
import type { Trace } from '../src/inspect/index.ts'
import { contentKind, ladderFor } from '../src/ladders/index.ts'
import { memoCounter } from '../src/tokens/index.ts'
import type { Facts } from './fidelity-facts.ts'
import { factKinds, factsOf, standing } from './fidelity-facts.ts'
import { markdownTable } from './markdown-table.ts'

/*
 * What stands of what a reader looks for, on every rung that loses something, by kind of content: lines that state a failure, figures, names, and lines
 * that deny something, of recorded tool outputs, of what is said in meetings and chats, and of passages; the curve 1 - alpha r^beta of names and figures, with
 * its knee. Then which rungs the planner really chooses: the share of shortened tokens by kind and rung, in the last request of each session.
 *
 *   npm run -s bench -- fidelity [SESSIONS]
 */

const sessions = Number(argv[2] ?? 12)
const data = '../shared/data'
const sets: readonly (readonly [name: string, file: string])[] = [
  ['coding runs', `${data}/swe-traces/lite_test_a.jsonl`],
  ['long sessions', `${data}/coding-sessions/pi_sessions.jsonl`],
  ['tool tasks', `${data}/mcp-traces/traces.dev.jsonl`],
  ['airline', `${data}/tau-bench/airline.dev.jsonl`],
]
const rules = plainRules()
const { count } = memoCounter(rules.tokenizer)
const handle = '482915037114'

async function tracesOf(file: string): Promise<readonly Trace[]> {
  const traces: Trace[] = []
  for await (const trace of readTrace(file)) {
    if (traces.push(trace) >= sessions) break
  }
  return traces
}

/** What is said in meetings and chats, and passages of an encyclopaedia. */
function words(): readonly (readonly [kind: string, item: Item])[] {
  const records = (file: string): readonly unknown[] =>
    readFileSync(`${data}/${file}`, 'utf8')
      .split('\n')
      .filter(Boolean)
      .slice(0, 40)
      .map((line): unknown => JSON.parse(line))
  const meetings = records('qmsum/dev.jsonl') as readonly { turns: readonly { speaker: string; text: string }[] }[]
  const passages = records('nq-open/passages.jsonl') as readonly { text?: string; sentences?: readonly string[] }[]
  const said = meetings.slice(0, 6).flatMap(({ turns }) => turns.map(({ text }) => text))
  const written = passages.map(({ text, sentences }) => text ?? (sentences ?? []).join(' '))
  return [
    ...said.map(
      (text, at) => ['dialogue', { id: `s${at}`, section: 'history', kind: 'text', role: 'user', text }] as const,
    ),
    ...written.map(
      (text, at) =>
        [
          'passages',
          { id: `p${at}`, section: 'evidence', kind: 'evidence', text, provenance: { sourceId: 'p' } },
        ] as const,
    ),
  ]
}

/** The rungs that lose something: lines by how much of an item is to be left, words and sentences, one line. */
function lossyRungs(item: Item): readonly (readonly [rung: string, shown: Rendition])[] {
  const isFound = item.kind === 'evidence'
  const prose = { keepRatio: 0.5, minFidelity: 0.5, unhandled: false }
  const conversation = { visible: new Set<string>(), age: 30, shares: [0.8, 0.6, 0.4, 0.2] }
  const rungs = ladderFor(item, { count, handle, ...(isFound ? { prose } : { conversation }) })
  const full = rungs[0]
  return rungs.flatMap((shown): (readonly [string, Rendition])[] => {
    if (full === undefined || shown.fidelity >= 1 || shown.rung === 'pointer') return []
    if (shown.rung !== 'trimmed' || isFound)
      return [[isFound && shown.rung === 'trimmed' ? 'words' : shown.rung, shown]]
    const left = shown.tokens / full.tokens
    return [[left > 0.6 ? 'trimmed, over 60%' : left > 0.3 ? 'trimmed, 30 to 60%' : 'trimmed, under 30%', shown]]
  })
}

interface Sums {
  items: number
  before: number
  after: number
  readonly found: Record<keyof Facts, number>
  readonly kept: Record<keyof Facts, number>
}

const noFacts = (): Record<keyof Facts, number> => ({ failures: 0, numbers: 0, names: 0, negations: 0 })
const sums = new Map<string, Sums>()
const points = new Map<string, { removed: number; needed: number; kept: number; claimed: number }[]>()

function add(kind: string, item: Item): void {
  const tokens = count(item.text)
  if (tokens < 60) return
  const facts = factsOf(item.text)
  for (const [rung, shown] of lossyRungs(item)) {
    const key = `${kind}\t${rung}`
    const own = sums.get(key) ?? { items: 0, before: 0, after: 0, found: noFacts(), kept: noFacts() }
    sums.set(key, own)
    own.items += 1
    own.before += tokens
    own.after += shown.tokens
    let [needed, kept] = [0, 0]
    for (const name of factKinds) {
      const stands = standing(facts[name], shown)
      own.found[name] += facts[name].length
      own.kept[name] += stands
      if (name === 'failures' || name === 'negations') continue
      needed += facts[name].length
      kept += stands
    }
    const list = points.get(kind) ?? []
    points.set(kind, list)
    if (needed > 0) list.push({ removed: 1 - shown.tokens / tokens, needed, kept, claimed: shown.fidelity })
  }
}

const percent = (part: number, whole: number): string => (whole === 0 ? 'n/a' : `${((100 * part) / whole).toFixed(1)}%`)

function printRungs(): void {
  const rows = Array.from(sums, ([key, { items, before, after, found, kept }]) => {
    const [kind = '', rung = ''] = key.split('\t')
    const shares = factKinds.map((name) => [name, `${percent(kept[name], found[name])} (${found[name]})`] as const)
    return { kind, rung, 'items': String(items), 'tokens left': percent(after, before), ...Object.fromEntries(shares) }
  })
  const order = rows.filter(({ items }) => Number(items) >= 10).toSorted((a, b) => compareCodeUnits(a.kind, b.kind))
  console.log(`${markdownTable(order)}\n`)
  const curves = Array.from(points, ([kind, list]) => {
    const { alpha, beta, knee } = fidelityCurve(list)
    const figure = (value: number | null): string => value?.toFixed(2) ?? 'n/a'
    return {
      kind,
      forms: String(list.length),
      alpha: figure(alpha),
      beta: figure(beta),
      knee: knee === null ? 'none' : percent(knee, 1),
    }
  })
  console.log(
    `${markdownTable(curves.filter(({ forms }) => Number(forms) >= 30).toSorted((a, b) => compareCodeUnits(a.kind, b.kind)))}\n`,
  )
}

/** Tokens by kind and rung in the last request of each session. */
function chosen(policy: Policy, traces: readonly Trace[]): ReadonlyMap<string, Map<string, number>> {
  const used = new Map<string, Map<string, number>>()
  for (const trace of traces) {
    let last: readonly { readonly kind: string; readonly rung: string; readonly tokens: number }[] = []
    const compiler = createCompiler({ tokenizer: rules.tokenizer, hash: (text) => hash('sha256', text) })
    const strategy = prehend({
      name: policy.id,
      policy,
      prices: rules.prices,
      windowTokens: 1_000_000,
      chargeTool: 'recorded',
      openCompiler: () => ({
        compile(input) {
          const result = compiler.compile(input)
          last = result.manifest.decisions.map(({ rung, originalTokens }, at) => ({
            kind: kindOf(input.items[at]),
            rung,
            tokens: originalTokens,
          }))
          return result
        },
      }),
    })
    packTrace(trace, strategy, { count, first: trace.requests.length })
    for (const { kind, rung, tokens } of last) {
      const own = used.get(kind) ?? new Map<string, number>()
      used.set(kind, own.set(rung, (own.get(rung) ?? 0) + tokens))
    }
  }
  return used
}

function kindOf(item: Item | undefined): string {
  if (item?.kind !== 'tool-result') return item?.kind === 'text' ? 'dialogue' : (item?.kind ?? 'other')
  return contentKind(item.text, item.toolName)
}

const shownRungs = ['lossless', 'trimmed', 'summary', 'line', 'omitted'] as const

function printChosen(name: string, traces: readonly Trace[]): void {
  for (const policy of [careful, thrifty]) {
    const used = chosen(policy, traces)
    const total = (rung?: string): number =>
      Array.from(used.values()).reduce(
        (sum, own) =>
          sum +
          Array.from(own).reduce((all, [at, tokens]) => (at !== 'full' && (rung ?? at) === at ? all + tokens : all), 0),
        0,
      )
    const rows = Array.from(used, ([kind, own]) => {
      const all = Array.from(own.values()).reduce((sum, tokens) => sum + tokens, 0)
      const shares = shownRungs.map((rung) => [rung, percent(own.get(rung) ?? 0, total())] as const)
      return {
        kind,
        'tokens': String(all),
        'shown in full': percent(own.get('full') ?? 0, all),
        ...Object.fromEntries(shares),
      }
    }).filter((row) => Number(row.tokens) > 0 && row['shown in full'] !== '100.0%')
    const sum = Object.fromEntries(shownRungs.map((rung) => [rung, percent(total(rung), total())]))
    const head = { 'kind': 'all', 'tokens': '', 'shown in full': '', ...sum }
    console.log(
      `${name}, ${policy.id}, ${traces.length} sessions\n\n${markdownTable([head, ...rows.toSorted((a, b) => Number(b.tokens) - Number(a.tokens))])}\n`,
    )
  }
}

const loaded = await Promise.all(sets.map(async ([name, file]) => [name, await tracesOf(file)] as const))
for (const [, traces] of loaded)
  for (const { item } of traces.flatMap(outputsOf)) add(contentKind(item.text, item.toolName), item)
for (const [kind, item] of words()) add(kind, item)
printRungs()
for (const [name, traces] of loaded) printChosen(name, traces)
