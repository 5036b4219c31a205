import type { BillingCache } from '../cache-bill.ts'
import { replay } from '../replay.ts'
import type { Replay } from '../replay.ts'
import type { Strategy } from '../strategy.ts'

/** Of the values that calls were given and that only tool output had shown, what stood in the request; one way and one window. */
export interface ValueRetention {
  readonly name: string
  /** Tokens of the window; null for one that holds everything. */
  readonly windowTokens: number | null
  /** Share of the values, and of their whole lines; null where none are recorded. */
  readonly values: number | null
  readonly lines: number | null
  /** Requests that could not be made that small; nothing of them counts as kept. */
  readonly unpacked: number
  readonly requests: number
}

export interface ValueOptions {
  count(text: string): number
  openCache(): BillingCache
  /** What is tried in a window of so many tokens; undefined for one that holds everything. */
  strategies(windowTokens: number | undefined): readonly Strategy[]
  readonly windows: readonly (number | undefined)[]
}

/** Collects sessions, sends each through every window, and says what was left of the values. */
export interface ValueMeasure extends Pick<Replay, 'add'> {
  report(): readonly ValueRetention[]
}

export function valueMeasure({ count, openCache, strategies, windows }: ValueOptions): ValueMeasure {
  const runs = windows.map((windowTokens) => ({
    windowTokens: windowTokens ?? null,
    run: replay({
      strategies: strategies(windowTokens).map((strategy) => within(strategy, windowTokens)),
      provider: 'plain',
      count,
      openCache,
      outputPrice: 0,
      clock: () => 0,
    }),
  }))
  return {
    add(trace) {
      for (const { run } of runs) run.add(trace)
    },
    report: () =>
      runs.flatMap(({ windowTokens, run }) => {
        const { requests, strategies: rows } = run.report()
        return rows.map(({ name, needleRecall, needleLineRecall, unpacked }) => ({
          name,
          windowTokens,
          values: needleRecall,
          lines: needleLineRecall,
          unpacked: Object.values(unpacked).reduce((sum, times) => sum + times, 0),
          requests,
        }))
      }),
  }
}

/** What does not fit is not sent as it came: whoever has no larger window cannot. */
function within(strategy: Strategy, windowTokens = Number.POSITIVE_INFINITY): Strategy {
  return {
    name: strategy.name,
    start(renderer) {
      const run = strategy.start(renderer)
      let unpacked: string | undefined
      return {
        next(request) {
          const sent = run.next(request)
          const tokens = sent.reduce((sum, message) => sum + message.tokens, 0)
          unpacked = run.unpacked?.() ?? (tokens > windowTokens ? 'window' : undefined)
          return unpacked === undefined ? sent : []
        },
        unpacked: () => unpacked,
      }
    },
  }
}
