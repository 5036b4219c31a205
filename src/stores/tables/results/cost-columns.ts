import type { SessionCost } from './session-cost.ts'
import { wholeUsd } from './whole-usd.ts'

/** Its columns, by what they are called of a cost. */
const columnOf = {
  requests: 'requests',
  priced: 'priced',
  inputTokens: 'input_tokens',
  passThroughTokens: 'pass_through_tokens',
  usd: 'usd',
  passThroughUsd: 'pass_through_usd',
  clientUsd: 'client_usd',
  observedUsd: 'observed_usd',
  ifOnUsd: 'if_on_usd',
  ifOnPassThroughUsd: 'if_on_pass_through_usd',
} as const satisfies Record<keyof SessionCost, string>

export const costMembers = Object.keys(columnOf) as readonly (keyof SessionCost)[]
export const costColumns = Object.values(columnOf)

export function isDollars(column: string): boolean {
  return column.endsWith('usd')
}

/** A row of sums, by the names of its columns. */
export function costIn(row: Readonly<Record<string, unknown>>): SessionCost {
  const cost = Object.fromEntries(
    costMembers.map((name) => {
      const sum = Number(row[columnOf[name]])
      return [name, isDollars(columnOf[name]) ? wholeUsd(sum) : sum]
    }),
  )
  return cost as Record<keyof SessionCost, number>
}
