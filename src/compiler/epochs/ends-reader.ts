import type { Item, Rendition, UsualEnds } from '../../core/index.ts'
import { perObjectAndKey } from '../../core/index.ts'
import { hasEnds, resultEnds, usualEnds } from '../../ladders/index.ts'
import type { ResultEnds } from '../../ladders/index.ts'
import { callsByStep } from './calls-by-step.ts'
import type { CallsOptions } from './calls-by-step.ts'

type Ends = Pick<UsualEnds, 'head' | 'tail'>

export interface EndsReader {
  /** How the results before an item, of its tool, usually begin and end. */
  before(at: number): Ends
  /** The newest step before an item that shows them, of the same tool. */
  shownIn(ends: Ends, at: number, shown: readonly Rendition[]): number | undefined
}

/** Newest results of a tool from which its usual ends are learnt. */
const lookedAt = 12
/** Results of a tool in which its usual ends are looked for: thousands of results would be compared with each other. */
const mostSearched = 300

/** Learns from the results as they came, so that it does not matter how they are shown. */
export function endsReader(options: CallsOptions): EndsReader {
  const { items, steps } = options
  const callOf = callsByStep(options)
  return {
    before(at) {
      const newest: ResultEnds[] = []
      const others: ResultEnds[] = []
      for (let index = at - 1; index >= 0 && newest.length < lookedAt; index--) {
        const item = items[index]
        if (item?.kind !== 'tool-result' || item.toolName !== items[at]?.toolName) continue
        const ends = endsOf(item)
        newest.push(ends)
        if (callOf(index).shows.length === 0) others.push(ends)
      }
      return usualEnds(newest, others)
    },
    shownIn(usual, at, shown) {
      let left = mostSearched
      for (let index = at - 1; index >= 0 && left > 0; index--) {
        const item = items[index]
        if (item?.kind !== 'tool-result' || item.toolName !== items[at]?.toolName) continue
        if (hasEnds(resultEnds(shown[index]?.text ?? ''), usual)) return steps[index]
        left -= 1
      }
      return undefined
    },
  }
}

/** Read once of each result, which is looked at for every later one of its tool. */
const endsByText = perObjectAndKey<Item, ResultEnds>()

function endsOf(item: Item): ResultEnds {
  return endsByText(item, item.text, ({ text }) => resultEnds(text))
}
