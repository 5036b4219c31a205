import type { EpochPolicy, Item, Rendition } from '../../core/index.ts'
import type { FactReader } from '../../ladders/index.ts'

export interface EligibleOptions {
  readonly items: readonly Item[]
  readonly renditions: readonly Rendition[]
  readonly policy: EpochPolicy
  readonly facts: FactReader
  /** Also items that are shown trimmed already. */
  readonly again?: boolean
  /** Those that the conversation has no use for any more: they may go however new they are. */
  readonly outdated?: ReadonlyMap<number, unknown>
}

/** Smaller results are not worth a handle. */
const smallestResult = 60

/**
 * Indexes of the items that an epoch may shorten, in order: results and calls that the model has consumed, that are not
 * among the newest, and that are still shown whole. Failures stay for a while longer.
 */
export function eligible(options: EligibleOptions): readonly number[] {
  const isKept = keptFailure(options)
  const { outdated } = options
  const found = consumed(options).filter((index) => !isKept(index))
  if (outdated === undefined || outdated.size === 0 || options.policy.lowestRung === 'lossless') return found
  const gone = Array.from(outdated.keys()).filter((index) => mayShorten(options, index))
  return [...new Set([...found, ...gone])].toSorted((a, b) => a - b)
}

/** Indexes of the results that would be shortened had they not failed. */
export function keptFailures(options: EligibleOptions): ReadonlySet<number> {
  return new Set(consumed(options).filter(keptFailure(options)))
}

function keptFailure({ items, policy, facts }: EligibleOptions): (index: number) => boolean {
  const start = resultsEnd(items, policy.keepErrors)
  return (index) => {
    const item = items[index]
    return index >= start && item?.kind === 'tool-result' && failed(item, facts)
  }
}

function consumed(options: EligibleOptions): readonly number[] {
  if (options.policy.lowestRung === 'lossless') return []
  const end = oldEnd(options)
  const found: number[] = []
  for (let index = 0; index < end; index++) if (mayShorten(options, index)) found.push(index)
  return found
}

function mayShorten({ items, renditions, policy, again = false }: EligibleOptions, index: number): boolean {
  const item = items[index]
  const shown = renditions[index]
  if (item === undefined || shown === undefined || item.frozen === true || item.pin === true) return false
  if (shown.rung !== 'full' && shown.rung !== 'lossless' && !(again && shown.rung === 'trimmed')) return false
  return item.kind === 'tool-result'
    ? shown.tokens >= smallestResult
    : item.kind === 'tool-call' && policy.ownCalls !== 'whole' && shown.tokens > policy.callTokens
}

function failed(item: Item, facts: FactReader): boolean {
  return item.status === 'error' || facts.ofText(item.text).states.includes(1)
}

/** Where the newest part begins that is left alone: so many results, so many tokens, and all that no turn has read yet. */
function oldEnd({ items, renditions, policy }: EligibleOptions): number {
  let tokens = 0
  let index = Math.min(items.length, lastReply(items), resultsEnd(items, policy.keepFull))
  for (let at = items.length - 1; at >= index; at--) tokens += renditions[at]?.tokens ?? 0
  while (index > 0 && tokens < policy.keepTokens) {
    index--
    tokens += renditions[index]?.tokens ?? 0
  }
  return index
}

/** Results after the newest reply of the model have not been consumed. */
function lastReply(items: readonly Item[]): number {
  for (let index = items.length - 1; index >= 0; index--) if (items[index]?.role === 'assistant') return index
  return 0
}

/** The position of the `count`-th newest tool result. */
function resultsEnd(items: readonly Item[], count: number): number {
  let left = count
  for (let index = items.length - 1; index >= 0 && left > 0; index--) {
    if (items[index]?.kind === 'tool-result' && --left === 0) return index
  }
  return left > 0 ? 0 : items.length
}
