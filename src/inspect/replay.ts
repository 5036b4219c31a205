import { passThrough } from './plain-strategies.ts'
import { replayTrace } from './replay-trace.ts'
import { strategyReport } from './report.ts'
import type { ReplayOptions } from './replay-session.ts'
import type { ReplayReport } from './report.ts'
import type { SessionPair } from './session-pair.ts'
import type { Strategy } from './strategy.ts'
import type { Trace } from './trace.ts'

export interface ReplayInput extends ReplayOptions {
  readonly strategies: readonly Strategy[]
  /** The name of the price and cache rules, for the report. */
  readonly provider: string
  /** Price of a million plain input tokens, where it is known. */
  readonly inputDollars?: number | undefined
}

/** Collects traces one by one; pass-through is always sent too, as the denominator, through a window that has room for it. */
export interface Replay {
  add(trace: Trace): void
  report(): ReplayReport
}

export function replay({ strategies, provider, inputDollars, ...options }: ReplayInput): Replay {
  const baseline = passThrough()
  const pairs = new Map<string, SessionPair[]>(strategies.map((strategy) => [strategy.name, []]))
  let traces = 0
  let requests = 0
  return {
    add(trace) {
      traces += 1
      requests += trace.requests.length
      const inFull = replayTrace(trace, baseline, { ...options, windowTokens: undefined })
      for (const strategy of strategies) {
        const isInFull = strategy.name === baseline.name && options.windowTokens === undefined
        const figures = isInFull ? inFull : replayTrace(trace, strategy, options)
        pairs.get(strategy.name)?.push({ figures, baseline: inFull })
      }
    },
    report: () => ({
      traces,
      requests,
      provider,
      strategies: strategies.map(({ name }) => strategyReport(name, pairs.get(name) ?? [], inputDollars)),
    }),
  }
}
