import type { Item, UsualEnds } from '../../core/index.ts'
import { usualEnds } from '../../ladders/index.ts'
import type { FactReader } from '../../ladders/index.ts'

export interface EndsOptions {
  readonly items: readonly Item[]
  readonly steps: readonly number[]
  readonly facts: FactReader
}

export interface EndsReader {
  /** How the results before an item, of its tool, usually begin and end. */
  before(at: number): Omit<UsualEnds, 'isSaid'>
}

/** Newest results of a tool from which its usual ends are learnt. */
const lookedAt = 12

/** Learns from the results as they came, so that it does not matter how they are shown. */
export function endsReader({ items, steps, facts }: EndsOptions): EndsReader {
  const callOf = new Map<number, Item>()
  items.forEach((item, index) => {
    if (item.kind === 'tool-call') callOf.set(steps[index] ?? 0, item)
  })
  const showsFile = (index: number): boolean => facts.ofCall(callOf.get(steps[index] ?? 0)?.text ?? '').shows.length > 0
  return {
    before(at) {
      const newest: string[] = []
      const others: string[] = []
      for (let index = at - 1; index >= 0 && newest.length < lookedAt; index--) {
        const item = items[index]
        if (item?.kind !== 'tool-result' || item.toolName !== items[at]?.toolName) continue
        newest.push(item.text)
        if (!showsFile(index)) others.push(item.text)
      }
      return usualEnds(newest, others)
    },
  }
}
