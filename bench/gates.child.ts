import { argv, stdout } from 'node:process'
import { knownPolicy } from '../src/compiler/index.ts'
import {
  countingOf,
  passThrough,
  plainRules,
  policyStrategies,
  providerRules,
  readTrace,
  replayTrace,
} from '../src/inspect/index.ts'
import type { BillingRules, SessionPair, Strategy, Trace } from '../src/inspect/index.ts'
import { frontierFigures } from './frontier-figures.ts'
import type { SentSession } from './frontier-figures.ts'
import { definitionTokens, longFrom } from './short-sessions.ts'
import type { GateFigures, GateWork, RuleName } from './gate-figures.ts'
import { madeKinds, madeTraces } from './made-sessions/made-sessions.ts'
import type { GatedSession } from './policy-gates.ts'
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

const { rule, data, policies, sets } = JSON.parse(argv[2] ?? '') as GateWork
const rules = rulesOf[rule]()
const counting = countingOf(rules)
const options = {
  ...counting,
  openCache: rules.openCache,
  prices: rules.prices,
  outputPrice: rules.outputPrice,
  clock: () => performance.now(),
}
const named = policies.map((name) => ({ name, policy: knownPolicy(name, '--policy') }))
const strategies = policyStrategies(named, rules)
const withoutTool = policyStrategies(named, rules, { chargeTool: 'never' })

async function* recordedTraces(files: readonly string[]): AsyncGenerator<Trace> {
  for (const file of files) yield* readTrace(`${data}/${file}.jsonl`, {})
}

interface Sent extends SentSession {
  /** By strategy: what a session costs above sending everything, and beside the definition of our tool. */
  readonly above: ReadonlyMap<string, Required<Pick<GatedSession, 'above' | 'besideTool'>>>
}

function sent(trace: Trace, place: number): Sent {
  const baseline = replayTrace(trace, passThrough(), options)
  const pairs = strategies.map((strategy): readonly [string, SessionPair] => [
    strategy.name,
    { figures: replayTrace(trace, strategy, options), baseline },
  ])
  const above = new Map(pairs.map(([name, pair]) => [name, aboveOf(trace, name, pair)]))
  return { id: trace.id, place, pairs, above }
}

/** Where a short session is dearer than the definition of our tool, it is sent again without. */
function aboveOf(trace: Trace, name: string, { figures, baseline }: SessionPair) {
  const above = figures.cost - baseline.cost
  const free: Strategy | undefined = withoutTool.find((strategy) => strategy.name === name)
  if (figures.requests >= longFrom || above <= definitionTokens || free === undefined)
    return { above, besideTool: above }
  return { above, besideTool: replayTrace(trace, free, options).cost - baseline.cost }
}

async function figuresOf(set: string, traces: AsyncIterable<Trace> | Iterable<Trace>): Promise<readonly GateFigures[]> {
  const all: Sent[] = []
  for await (const trace of traces) all.push(sent(trace, all.length))
  return frontierFigures(all).map(({ strategy, report, sessions }) => ({
    rule,
    set,
    policy: strategy,
    report,
    sessions: sessions.map((session, index) => ({ ...session, ...all[index]?.above.get(strategy) })),
  }))
}

const all: readonly (readonly [string, () => AsyncIterable<Trace> | Iterable<Trace>])[] = [
  ...recordedSets.map(([set, files]) => [set, () => recordedTraces(files)] as const),
  ...madeKinds.map((kind) => [kind, () => madeTraces(kind, 'built')] as const),
]
for (const [set, traces] of all)
  if (sets.includes(set))
    for (const figures of await figuresOf(set, traces())) stdout.write(`${JSON.stringify(figures)}\n`)
