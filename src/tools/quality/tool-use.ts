import { withQuery } from './past-queries.ts'

/** How a tool has been used so far: plain data, to be kept for each tenant. */
export interface ToolUse {
  readonly id: string
  /** Requests that offered the tool and for whose query it stood among the first 20. */
  readonly offered: number
  /** Requests whose reply called it and got a result of it, once each. */
  readonly called: number
  /** Calls that failed. */
  readonly failed: number
  /** What was asked for before it was called, the newest first: text of users, to be kept as such. */
  readonly queries: readonly string[]
}

/** What a request came to. */
export interface ToolOutcome {
  /** What was asked for: the latest message of the user, or what the model searched by. */
  readonly query: string
  /** Offered tools that stood among the first 20 for the query. */
  readonly relevant: readonly string[]
  readonly calls: readonly ToolCallOutcome[]
}

export interface ToolCallOutcome {
  readonly id: string
  readonly isFailed: boolean
}

/** The uses of all tools after one more request; those that it says nothing about are the same values. */
export function afterRequest(
  uses: ReadonlyMap<string, ToolUse>,
  { query, relevant, calls }: ToolOutcome,
): ReadonlyMap<string, ToolUse> {
  const next = new Map(uses)
  const useOf = (id: string): ToolUse => next.get(id) ?? unused(id)
  for (const id of new Set(relevant)) next.set(id, afterOffer(useOf(id)))
  for (const [id, own] of Map.groupBy(calls, (call) => call.id)) next.set(id, afterCalls(useOf(id), own, query))
  return next
}

export function unused(id: string): ToolUse {
  return { id, offered: 0, called: 0, failed: 0, queries: [] }
}

function afterOffer(use: ToolUse): ToolUse {
  return { ...use, offered: use.offered + 1 }
}

/** A query that only led to failed calls is not one that the tool answers. */
function afterCalls(use: ToolUse, calls: readonly ToolCallOutcome[], query: string): ToolUse {
  const failed = calls.filter(({ isFailed }) => isFailed).length
  return {
    ...use,
    called: use.called + (failed === calls.length ? 0 : 1),
    failed: use.failed + failed,
    queries: failed === calls.length ? use.queries : withQuery(use.queries, query),
  }
}

/** Called given offered and relevant, before anything is known: Beta(1, 9). */
const prior = { called: 1, not: 9 }
const priorMean = prior.called / (prior.called + prior.not)
const leastQuality = 0.5
const mostQuality = 1.5

/** The factor on a tool's score: how much likelier it is called than one that nothing is known of, from 0.5 to 1.5. */
export function qualityOf({ offered, called, failed }: Pick<ToolUse, 'offered' | 'called' | 'failed'>): number {
  // A tool may be called without being among the first 20. A call that failed counts as one more chance
  // that came to nothing.
  const chances = Math.max(offered, called) + failed
  const mean = (prior.called + called) / (prior.called + prior.not + chances)
  return Math.min(mostQuality, Math.max(leastQuality, mean / priorMean))
}
