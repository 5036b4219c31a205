import type { Statistics } from '../api/answers.ts'

/** Requests of tenants other than one's own, of which an operator sees sums only. */
export function othersIn({ tenant, data }: Pick<Statistics, 'tenant' | 'data'>): {
  readonly tenants: number
  readonly requests: number
} {
  const others = data.filter((row) => row.tenant !== tenant && row.figures.requests > 0)
  return {
    tenants: new Set(others.map((row) => row.tenant)).size,
    requests: others.reduce((sum, { figures }) => sum + figures.requests, 0),
  }
}
