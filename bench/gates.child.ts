import { hash } from 'node:crypto'
import { argv, stdout } from 'node:process'
import { careful, createCompiler, thrifty } from '../src/compiler/index.ts'
import type { Policy } from '../src/core/index.ts'
import {
  countingOf,
  passThrough,
  plainRules,
  prehend,
  providerRules,
  readTrace,
  replayTrace,
  strategyReport,
} from '../src/inspect/index.ts'
import type { BillingRules, SessionPair, Strategy, Trace } from '../src/inspect/index.ts'
import { definitionTokens, longFrom } from './gate-figures.ts'
import type { GateFigures, RuleName, SessionCost } from './gate-figures.ts'
import { madeKinds, madeTraces } from './made-sessions/made-sessions.ts'
import { recordedSets } from './recorded-sets.ts'

/* The recorded and the made sessions by the rules of one provider, for `gates.ts`. */

const rulesOf: Readonly<Record<RuleName, () => BillingRules>> = {
  plain: () => plainRules({}),
  anthropic: () => providerRules('anthropic'),
  openai: () => providerRules('openai'),
  deepseek: () => providerRules('deepseek'),
  Gemini: () => providerRules('google'),
  OpenRouter: () => providerRules('google', { read: 0.25 }),
}

const rule = argv[2] as RuleName
const data = argv[3] ?? '../shared/data'
const rules = rulesOf[rule]()
const counting = countingOf(rules)
const options = {
  ...counting,
  openCache: rules.openCache,
  outputPrice: rules.outputPrice,
  clock: () => performance.now(),
}

function strategyOf(policy: Policy, chargeTool: 'always' | 'never'): Strategy {
  return prehend({
    name: policy.id,
    policy,
    prices: rules.prices,
    openCompiler: () => createCompiler({ tokenizer: rules.tokenizer, hash: (text) => hash('sha256', text, 'hex') }),
    windowTokens: 1_000_000,
    chargeTool,
  })
}

/** What one session cost; where a short one is dearer than the definition of our tool, what it cost beside that. */
function costOf(trace: Trace, policy: Policy, { figures, baseline }: SessionPair): SessionCost {
  const above = figures.cost - baseline.cost
  const cost = { requests: figures.requests, ratio: figures.cost / baseline.cost, above, besideTool: above }
  if (figures.requests >= longFrom || above <= definitionTokens) return cost
  const free = replayTrace(trace, strategyOf(policy, 'never'), options)
  return { ...cost, besideTool: free.cost - baseline.cost }
}

async function* recordedTraces(files: readonly string[]): AsyncGenerator<Trace> {
  for (const file of files) yield* readTrace(`${data}/${file}.jsonl`, {})
}

async function figuresOf(set: string, traces: AsyncIterable<Trace> | Iterable<Trace>): Promise<readonly GateFigures[]> {
  const found = [careful, thrifty].map((policy) => ({
    policy,
    strategy: strategyOf(policy, 'always'),
    pairs: new Array<SessionPair>(),
    sessions: new Array<SessionCost>(),
  }))
  for await (const trace of traces) {
    const baseline = replayTrace(trace, passThrough(), options)
    for (const { policy, strategy, pairs, sessions } of found) {
      const pair = { figures: replayTrace(trace, strategy, options), baseline }
      pairs.push(pair)
      sessions.push(costOf(trace, policy, pair))
    }
  }
  return found.map(({ policy: { id }, pairs, sessions }) => ({
    rule,
    set,
    policy: id,
    report: strategyReport(id, pairs),
    sessions,
  }))
}

const sets: readonly (readonly [string, AsyncIterable<Trace> | Iterable<Trace>])[] = [
  ...recordedSets.map(([set, files]) => [set, recordedTraces(files)] as const),
  ...madeKinds.map((kind) => [kind, madeTraces(kind, 'built')] as const),
]
for (const [set, traces] of sets)
  for (const figures of await figuresOf(set, traces)) stdout.write(`${JSON.stringify(figures)}\n`)
