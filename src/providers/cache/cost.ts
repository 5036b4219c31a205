import type { CachePrices, Usage } from '../../core/index.ts'

/** Multiples of the plain input price. Without `writeLong` long writes cost what short ones do; without `output`, output is free. */
export type CostRates = Pick<CachePrices, 'read' | 'write'> & {
  readonly writeLong?: number
  readonly output?: number
}

/** What a request cost, in plain input tokens; times the input price it is money. */
export function costOf(usage: Usage, rates: CostRates): number {
  const read = usage.cacheReadTokens ?? 0
  const write = usage.cacheWriteTokens ?? 0
  const long = usage.cacheWriteLongTokens ?? 0
  const plain = usage.inputTokens - read - write
  const writing = (write - long) * rates.write + long * (rates.writeLong ?? rates.write)
  return plain + read * rates.read + writing + usage.outputTokens * (rates.output ?? 0)
}
