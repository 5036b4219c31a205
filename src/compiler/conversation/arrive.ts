import type { Item, LineReference, Rendition } from '../../core/index.ts'
import type { LineIndex } from '../../ladders/index.ts'
import { referRepeats } from '../../ladders/index.ts'
import { longStrings, withStrings } from './json-strings.ts'
import { shortestString } from './text-facts.ts'

export interface ArriveOptions {
  readonly item: Item
  readonly fullTokens: number
  readonly handle: string
  /** What stands in the context before the item. */
  readonly index: LineIndex
  count(text: string): number
}

/** Shorter runs in a model's own calls are left as they are: a call must read like one. */
const minRunInCalls = 6

/**
 * The rendition of an item on its first appearance: in full, save for runs of lines that already stand in the visible
 * context. That costs no cached byte and loses nothing.
 */
export function arrive(options: ArriveOptions): Rendition {
  const { item, fullTokens, handle, count } = options
  const full = whole(options)
  if (item.frozen === true || item.pin === true) return full
  const referred =
    item.kind === 'tool-result' ? referText(options) : item.kind === 'tool-call' ? referCall(options) : undefined
  if (referred === undefined || referred.references.length === 0) return full
  const tokens = count(referred.text)
  if (tokens >= fullTokens) return full
  return { rung: 'lossless', text: referred.text, tokens, fidelity: 1, handle, references: referred.references }
}

/** The item as it came. */
export function whole({ item, fullTokens }: Pick<ArriveOptions, 'item' | 'fullTokens'>): Rendition {
  return { rung: 'full', text: item.text, tokens: fullTokens, fidelity: 1 }
}

interface Referred {
  readonly text: string
  readonly references: readonly LineReference[]
}

function referText({ item, index, count }: ArriveOptions): Referred {
  return referRepeats({ text: item.text, index, count })
}

function referCall({ item, index, count }: ArriveOptions): Referred | undefined {
  const strings = longStrings(item.text, shortestString)
  if (strings.length === 0) return undefined
  const references: LineReference[] = []
  const values = strings.map(({ value }) => {
    const referred = referRepeats({ text: value, index, count, minRun: minRunInCalls })
    references.push(...referred.references)
    return referred.text
  })
  return { text: withStrings(item.text, strings, values), references }
}
