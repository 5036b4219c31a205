import { markdownTable } from './markdown-table.ts'
import type { Judged } from './policy-gates.ts'

/** The value of a measure and whether it meets its gate; bold where it does not. */
export function judgedCell(result: Judged | undefined): string {
  if (result === undefined || result.value === null) return 'n/a'
  const value = Number.isInteger(result.value) ? String(result.value) : result.value.toFixed(3)
  return result.met ? `${value} met` : `**${value} missed**`
}

export function gateName({ asked, isAim }: Pick<Judged, 'asked' | 'isAim'>): string {
  return isAim ? `aim: ${asked}` : asked
}

/** One row for each gate and aim of some strategies. */
export function gateTable(rows: readonly (readonly [strategy: string, results: readonly Judged[]])[]): string {
  return markdownTable(
    rows.flatMap(([strategy, results]) =>
      results.map((result) => ({ strategy, gate: gateName(result), result: judgedCell(result) })),
    ),
  )
}
