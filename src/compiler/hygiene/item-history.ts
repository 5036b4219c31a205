import type { Item } from '../../core/index.ts'
import { factReader } from '../../ladders/index.ts'
import { outdatedItems } from './outdated.ts'
import type { OutdatedBy, OutdatedOptions } from './outdated.ts'

/** What texts and calls of items tell of the items before them. */
export interface ItemHistory {
  outdated(asked: Omit<OutdatedOptions, 'facts'>): ReadonlyMap<number, OutdatedBy>
  /** Whether an item reports a failure. */
  failed(item: Item): boolean
}

/** Each text is read once; what is remembered changes no answer. */
export function itemHistory(): ItemHistory {
  const facts = factReader()
  return {
    outdated: (asked) => outdatedItems({ ...asked, facts }),
    failed: (item) => item.status === 'error' || facts.ofText(item.text).states.includes(1),
  }
}
