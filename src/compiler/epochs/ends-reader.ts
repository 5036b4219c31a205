import type { UsualEnds } from '../../core/index.ts'
import { usualEnds } from '../../ladders/index.ts'
import { callsByStep } from './calls-by-step.ts'
import type { CallsOptions } from './calls-by-step.ts'

export interface EndsReader {
  /** How the results before an item, of its tool, usually begin and end. */
  before(at: number): Omit<UsualEnds, 'isSaid'>
}

/** Newest results of a tool from which its usual ends are learnt. */
const lookedAt = 12

/** Learns from the results as they came, so that it does not matter how they are shown. */
export function endsReader(options: CallsOptions): EndsReader {
  const { items } = options
  const callOf = callsByStep(options)
  return {
    before(at) {
      const newest: string[] = []
      const others: string[] = []
      for (let index = at - 1; index >= 0 && newest.length < lookedAt; index--) {
        const item = items[index]
        if (item?.kind !== 'tool-result' || item.toolName !== items[at]?.toolName) continue
        newest.push(item.text)
        if (callOf(index).shows.length === 0) others.push(item.text)
      }
      return usualEnds(newest, others)
    },
  }
}
