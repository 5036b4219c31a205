/** What a tenant, a team or a key may spend. What is absent is not limited. */
export interface BudgetLimits {
  readonly usdPerDay?: number
  readonly usdPerMonth?: number
  readonly tokensPerDay?: number
  readonly tokensPerMonth?: number
  readonly requestsPerDay?: number
  readonly requestsPerMonth?: number
  readonly requestsPerMinute?: number
  readonly tokensPerMinute?: number
  readonly concurrentStreams?: number
  /** Tokens of output that a request counts with before it is answered, where it names no limit. */
  readonly outputTokens?: number
  /** What becomes of requests that cannot be counted. */
  readonly whenUnavailable?: 'refuse' | 'allow'
}
