import { parentPort, workerData } from 'node:worker_threads'
import {
  countingOf,
  namedRules,
  passThrough,
  policyStrategies,
  readTrace,
  replayTrace,
  strategiesNamed,
} from '../src/inspect/index.ts'
import type { SessionPair, Trace } from '../src/inspect/index.ts'
import type { FrontierShare, SentSession } from './frontier-figures.ts'

/* Sends one share of the sessions of `frontier.ts` by every strategy, and posts what each session came to. */

const share = workerData as FrontierShare
const { rules: ruleName, policies, rivals, files, limit, windowTokens, worker, workers } = share
const rules = namedRules(ruleName)
// A rival goes by the whole name that it was asked for by.
const rival = (name: string) => strategiesNamed([name], []).map((strategy) => ({ ...strategy, name }))
const strategies = [...policyStrategies(policies, rules, { windowTokens }), ...rivals.flatMap(rival)]
const options = {
  ...countingOf(rules),
  openCache: rules.openCache,
  prices: rules.prices,
  outputPrice: rules.outputPrice,
  clock: () => performance.now(),
}

function sent(trace: Trace, place: number): SentSession {
  const baseline = replayTrace(trace, passThrough(), options)
  const pairs = strategies.map((strategy): readonly [string, SessionPair] => [
    strategy.name,
    { figures: replayTrace(trace, strategy, { ...options, windowTokens }), baseline },
  ])
  return { id: trace.id, place, pairs }
}

let place = 0
for (const file of files) {
  let ofFile = 0
  for await (const trace of readTrace(file, {})) {
    if (limit !== undefined && ofFile >= limit) break
    if (place % workers === worker) parentPort?.postMessage(sent(trace, place))
    ofFile += 1
    place += 1
  }
}
