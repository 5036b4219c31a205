import { dollarsOf, savingsOf, wholeUsd } from '../../stores/index.ts'
import type { Dollars, ReceiptSummary } from '../../stores/index.ts'

/** What of a request tells why its session costs more than the client's own requests. */
export interface CostRow {
  readonly lane: string
  readonly epoch: number | undefined
  readonly cost: Dollars | undefined
  readonly cachedTokens: number
  readonly writtenTokens: number
  readonly hiddenRounds: number
}

export function costRow({ lane, epoch, result }: ReceiptSummary): CostRow {
  const { usage, cost, rounds } = result ?? {}
  return {
    lane,
    epoch,
    cost: dollarsOf(cost),
    cachedTokens: usage?.cacheReadTokens ?? 0,
    writtenTokens: usage?.cacheWriteTokens ?? 0,
    hiddenRounds: rounds?.length ?? 0,
  }
}

/** A difference that four decimals of a dollar do not show is none. */
const leastUsd = 0.000_05

/** Why requests came to more than the client's own would have, in words; undefined where they did not. */
export function whyMore(rows: readonly CostRow[]): string | undefined {
  const { savedUsd, byMarksUsd, byPackingUsd } = savingsOf(sumOf(rows))
  if (savedUsd > -leastUsd) return undefined
  const reasons = [
    ...(byMarksUsd < -leastUsd ? [marksText(rows, -byMarksUsd)] : []),
    ...(byPackingUsd < -leastUsd ? [packingText(rows, -byPackingUsd)] : []),
  ]
  return reasons.length === 0 ? undefined : reasons.join(' ')
}

/** Writing to a cache costs more than plain input, and pays once it is read. */
function marksText(rows: readonly CostRow[], usd: number): string {
  const written = total(rows, ({ writtenTokens }) => writtenTokens)
  const read = total(rows, ({ cachedTokens }) => cachedTokens)
  const again =
    read === 0
      ? 'were written and not read again'
      : `were written and ${read} were read, too few to pay for the writing`
  return `Cache marks cost ${dollars(usd)} more: ${written} tokens ${again}.`
}

function packingText(rows: readonly CostRow[], usd: number): string {
  const unpaid = unpaidEpochs(rows)
  const hidden = total(rows, ({ hiddenRounds }) => hiddenRounds)
  const because = [
    ...(unpaid.length > 0
      ? [
          `${unpaid.length === 1 ? 'epoch' : 'epochs'} ${unpaid.join(', ')} ${unpaid.length === 1 ? 'has' : 'have'} not paid back`,
        ]
      : []),
    ...(hidden > 0 ? [`${hidden} hidden ${hidden === 1 ? 'round was' : 'rounds were'} paid`] : []),
  ]
  return `Packing cost ${dollars(usd)} more: ${because.join(', and ') || 'the tools and markers that it adds take more than it left out'}.`
}

/** Epochs that rewrote the cached prompt, and whose requests cost more than sending everything so far. */
function unpaidEpochs(rows: readonly CostRow[]): readonly number[] {
  const begun = rows.filter(({ epoch }) => epoch !== undefined && epoch > 0)
  const groups = [...Map.groupBy(begun, ({ lane, epoch }) => `${epoch} ${lane}`).values()]
  return groups.flatMap((group) => {
    const { usd, passThroughUsd } = sumOf(group)
    return usd - passThroughUsd > leastUsd ? (group[0]?.epoch ?? []) : []
  })
}

function sumOf(rows: readonly CostRow[]): Pick<Dollars, 'usd' | 'passThroughUsd' | 'clientUsd'> {
  const sum = (of: 'usd' | 'passThroughUsd' | 'clientUsd'): number =>
    wholeUsd(total(rows, ({ cost }) => cost?.[of] ?? 0))
  return { usd: sum('usd'), passThroughUsd: sum('passThroughUsd'), clientUsd: sum('clientUsd') }
}

function total(rows: readonly CostRow[], of: (row: CostRow) => number): number {
  return rows.reduce((sum, row) => sum + of(row), 0)
}

function dollars(usd: number): string {
  return `$${usd.toFixed(4)}`
}
