import { strategyReport } from '../src/inspect/index.ts'
import type { BillingRuleName, SessionPair, StrategyReport } from '../src/inspect/index.ts'
import type { PolicyUnderName } from './policy-choice.ts'

/** Which sessions are sent, by which strategies and rules. */
export interface FrontierWork {
  readonly rules: BillingRuleName
  readonly policies: readonly PolicyUnderName[]
  /** Strategies beside the policies, by the names that `prehend replay` knows. */
  readonly rivals: readonly string[]
  readonly files: readonly string[]
  /** Sessions of each file, from its beginning. */
  readonly limit: number | undefined
  readonly windowTokens: number | undefined
}

/** A share of the sessions: every `workers`-th one, from `worker` on. */
export interface FrontierShare extends FrontierWork {
  readonly worker: number
  readonly workers: number
}

/** One session, sent by every strategy. */
export interface SentSession {
  readonly id: string
  /** Its place among all sessions of the work. */
  readonly place: number
  readonly pairs: readonly (readonly [strategy: string, pair: SessionPair])[]
}

/** What one strategy came to over a set of sessions. */
export interface FrontierFigures {
  readonly strategy: string
  readonly report: StrategyReport
  readonly sessions: readonly FrontierSession[]
}

export interface FrontierSession {
  readonly id: string
  readonly report: StrategyReport
  readonly requests: number
  /** Against sending everything. */
  readonly cost: number
  readonly settledAll: number
}

/** Figures by strategy, sessions in the order of the files. */
export function frontierFigures(sent: readonly SentSession[]): readonly FrontierFigures[] {
  const sessions = sent.toSorted((a, b) => a.place - b.place)
  const names = [...new Set(sessions.flatMap(({ pairs }) => pairs.map(([strategy]) => strategy)))]
  return names.map((strategy) => {
    const own = sessions.flatMap(({ id, pairs }) =>
      pairs.flatMap(([name, pair]) => (name === strategy ? [{ id, pair }] : [])),
    )
    return {
      strategy,
      report: strategyReport(
        strategy,
        own.map(({ pair }) => pair),
      ),
      sessions: own.map(({ id, pair }) => sessionOf(id, strategy, pair)),
    }
  })
}

function sessionOf(id: string, strategy: string, pair: SessionPair): FrontierSession {
  const { figures, baseline } = pair
  return {
    id,
    report: strategyReport(strategy, [pair]),
    requests: figures.requests,
    cost: figures.cost / baseline.cost,
    settledAll: figures.settledAll.cost / baseline.cost,
  }
}
