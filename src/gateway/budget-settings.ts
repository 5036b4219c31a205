import { z } from 'zod'
import type { BudgetLimits } from '../core/index.ts'

const usd = z.number().min(0).max(1_000_000).exactOptional()
const count = z.number().int().min(0).max(1_000_000_000_000).exactOptional()

/** What tenants, teams and keys may spend. */
export const budgets: z.ZodType<BudgetLimits> = z.strictObject({
  usdPerDay: usd.describe('Dollars in a UTC day.'),
  usdPerMonth: usd.describe('Dollars in a UTC month.'),
  tokensPerDay: count.describe('Tokens read and written in a UTC day, cached ones included.'),
  tokensPerMonth: count.describe('Tokens in a UTC month.'),
  requestsPerDay: count.describe('Requests of clients in a UTC day.'),
  requestsPerMonth: count.describe('Requests in a UTC month.'),
  requestsPerMinute: count.describe('Requests in a minute of the clock.'),
  tokensPerMinute: count.describe('Tokens in a minute of the clock.'),
  concurrentStreams: count.describe('Requests for a stream that may be under way at once.'),
  outputTokens: count.describe(
    'Tokens of output that a request counts with before it is answered, where it names no limit. Default: the most that its model writes.',
  ),
  whenUnavailable: z
    .enum(['refuse', 'allow'])
    .exactOptional()
    .describe(
      'What becomes of requests that cannot be counted, because the store or `hot` does not answer. Default: refuse where there is a limit in dollars, else allow.',
    ),
})

export const limitNames = [
  'usdPerDay',
  'usdPerMonth',
  'tokensPerDay',
  'tokensPerMonth',
  'requestsPerDay',
  'requestsPerMonth',
  'requestsPerMinute',
  'tokensPerMinute',
  'concurrentStreams',
] as const satisfies readonly (keyof BudgetLimits)[]
export type LimitName = (typeof limitNames)[number]

/** Whether anything is limited. */
export function limitsAny(limits: BudgetLimits | undefined): limits is BudgetLimits {
  return limits !== undefined && limitNames.some((name) => limits[name] !== undefined)
}
