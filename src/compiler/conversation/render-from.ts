import type { Item, Rendition } from '../../core/index.ts'
import type { LineIndex } from '../../ladders/index.ts'
import type { FactReader } from './text-facts.ts'
import { arrive, whole } from './arrive.ts'
import type { ArriveOptions } from './arrive.ts'

export interface RenderOptions {
  readonly items: readonly Item[]
  readonly keys: readonly string[]
  readonly steps: readonly number[]
  readonly tokens: readonly number[]
  readonly facts: FactReader
  /** Until so many tokens are shown nothing is referred to: a prompt must not fall below what its provider caches. */
  readonly leastTokens: number
  handleOf(item: Item): string
  count(text: string): number
}

/** Renditions of a conversation, and the index of the lines they show. */
export interface Rendered {
  readonly renditions: readonly Rendition[]
  readonly index: LineIndex
}

/**
 * Continues a conversation from `before`: items with a chosen rendition are shown so, the rest as on first appearance,
 * with references only to lines that are still shown.
 */
export function renderFrom(
  before: Rendered,
  chosen: readonly (Rendition | undefined)[],
  options: RenderOptions,
): Rendered {
  const { items, keys, steps, tokens, facts, leastTokens, handleOf, count } = options
  const renditions = [...before.renditions]
  let { index } = before
  let sum = renditions.reduce((all, shown) => all + shown.tokens, 0)
  const first = (arrival: ArriveOptions): Rendition => (sum < leastTokens ? whole(arrival) : arrive(arrival))
  for (let at = renditions.length; at < items.length; at++) {
    const item = items[at]
    if (item === undefined) break
    const shown = chosen[at] ?? first({ item, fullTokens: tokens[at] ?? 0, handle: handleOf(item), index, count })
    renditions.push(shown)
    sum += shown.tokens
    if (item.kind !== 'tool-result' && item.kind !== 'tool-call') continue
    const text = facts.linesOf(item, shown.text)
    if (text !== '')
      index = index.add({ key: keys[at] ?? '', step: steps[at] ?? 0, call: item.kind === 'tool-call' }, text)
  }
  return { renditions, index }
}

/** The number of the tool result that each item belongs to, counted from 1 (the step that one-line forms name). */
export function stepNumbers(items: readonly Item[]): readonly number[] {
  const ofCall = new Map<string, number>()
  let step = 0
  return items.map((item) => {
    if (item.kind !== 'tool-call' && item.kind !== 'tool-result') return step
    const known = item.toolCallId === undefined ? undefined : ofCall.get(item.toolCallId)
    if (known !== undefined) return known
    step++
    if (item.toolCallId !== undefined) ofCall.set(item.toolCallId, step)
    return step
  })
}
