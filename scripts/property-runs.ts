// How often a property runs in a test, and whether a test ran any. It is loaded once for each process that runs tests.
import * as fc from 'fast-check'
import { inject } from 'vitest'

type Run = Parameters<NonNullable<fc.PluginInstance<unknown>['decorateRun']>>[0]
type Result = Awaited<ReturnType<Run>>

/** Set where a property runs. */
export const seen = { property: false }

/** For a property that also checks which kinds of cases it met: it runs at least so often in each test run. */
export function atLeastRuns(runs: number): fc.Plugin<unknown> {
  return (_index, store) => {
    store.set(leastRuns, runs)
    return {}
  }
}

const leastRuns = Symbol('least runs')

fc.installGlobalPlugin((_index, store) => ({
  decorateRun: (run) => atMost(() => Math.max(inject('properties').mostRuns, Number(store.get(leastRuns) ?? 0)), run),
}))
fc.installGlobalPlugin(fc.beforeEach(() => void (seen.property = true)))

/** Ends a property after so many successful runs. A failure is still shrunk with as many runs as that takes. */
function atMost(most: () => number, run: Run): Run {
  let left: number | undefined
  const counted = (result: Result): Result => {
    if (result === null) left = (left ?? most()) - 1
    else if (!fc.PreconditionFailure.isFailure(result)) left = Number.POSITIVE_INFINITY
    return result
  }
  return (value) => {
    left ??= most()
    if (left <= 0) return new fc.PreconditionFailure(true)
    const result = run(value)
    return result instanceof Promise ? result.then(counted) : counted(result)
  }
}
