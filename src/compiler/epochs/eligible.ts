import type { EpochPolicy, Item, Rendition } from '../../core/index.ts'
import { lacksDataOnly } from '../../ladders/index.ts'
import type { FactReader } from '../../ladders/index.ts'
import { supersededMedia } from './superseded-media.ts'

export interface EligibleOptions {
  readonly items: readonly Item[]
  readonly renditions: readonly Rendition[]
  readonly policy: EpochPolicy
  readonly facts: FactReader
  /** Also items that are shown trimmed already. */
  readonly again?: boolean
  /** Tools of ours: what was asked for by them is no look at anything new. */
  readonly hiddenTools?: readonly string[] | undefined
  /** Those that the conversation has no use for any more: they may go however new they are. */
  readonly outdated?: ReadonlyMap<number, unknown>
}

/** Smaller results are not worth a handle. */
const smallestResult = 36
/** Those below it go whole or not at all. */
export const smallResult = 60

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
  const { items, policy, hiddenTools } = options
  if (policy.lowestRung === 'lossless') return []
  const ends: Ends = { old: oldEnd(options), read: lastReply(items) }
  const isSuperseded = supersededMedia(items, hiddenTools)
  const isOld = oldText(options)
  const found: number[] = []
  for (let index = 0; index < Math.max(ends.old, ends.read); index++)
    if (
      isOld(index) ||
      (mayShorten(options, index) && isPast({ item: items[index], index, policy, ends, isSuperseded }))
    )
      found.push(index)
  return found
}

/** Shorter texts of the model's are not worth a handle. */
const smallestText = 60

/** Whether an item is what the model has said behind so many newer results as the policy says. */
export function saidLongAgo(items: readonly Item[], policy: Pick<EpochPolicy, 'oldText'>): (index: number) => boolean {
  const end = policy.oldText === undefined ? 0 : resultsEnd(items, policy.oldText)
  return (index) => {
    const item = items[index]
    return index < end && item?.kind === 'text' && item.role === 'assistant' && item.section === 'history'
  }
}

/** Whether an item is old text of the model's that stands whole. */
function oldText({ items, renditions, policy, again = false }: EligibleOptions): (index: number) => boolean {
  const isOld = again ? () => false : saidLongAgo(items, policy)
  return (index) => {
    const item = items[index]
    const shown = renditions[index]
    if (!isOld(index) || item?.frozen === true || item?.pin === true) return false
    return shown?.rung === 'full' && shown.tokens >= smallestText
  }
}

/** Where the newest part begins, and where what no reply has followed does. */
interface Ends {
  readonly old: number
  readonly read: number
}

interface Member {
  readonly item: Item | undefined
  readonly index: number
  readonly policy: EpochPolicy
  readonly ends: Ends
  isSuperseded(index: number): boolean
}

/** Whether it is old enough; of media, whether the policy lets it go at all. */
function isPast({ item, index, policy, ends, isSuperseded }: Member): boolean {
  const { media = 'superseded' } = policy
  if (item?.kind !== 'media') return index < ends.old
  if (media === 'whole') return false
  // What users send is followed by replies and not by results: it is old by those of its own series.
  if (item.role !== 'tool') return index < ends.read && isSuperseded(index)
  return index < ends.old && (media === 'any' || isSuperseded(index))
}

function mayShorten(options: EligibleOptions, index: number): boolean {
  const { items, renditions, policy, again = false } = options
  const item = items[index]
  const shown = renditions[index]
  if (item === undefined || shown === undefined || item.frozen === true || item.pin === true) return false
  if (item.kind === 'media' && shown.rung === 'trimmed') return shown.tokens >= smallestResult
  const isWhole = shown.rung === 'full' || shown.rung === 'lossless'
  if (!isWhole && !(shown.rung === 'trimmed' && (again || lacksDataOnly(shown.text)))) return false
  if (item.kind === 'tool-result' || item.kind === 'media') return shown.tokens >= smallestResult
  if (item.lasts !== undefined) return shown.tokens >= smallestResult && options.outdated?.has(index) === true
  return item.kind === 'tool-call' && policy.ownCalls !== 'whole' && shown.tokens > policy.callTokens
}

function failed(item: Item, facts: FactReader): boolean {
  return item.status === 'error' || facts.ofText(item.text).states.includes(1)
}

/** Where the newest part begins that is left alone: so many results, so many tokens, and all that no turn has read yet. */
function oldEnd({ items, renditions, policy }: Pick<EligibleOptions, 'items' | 'renditions' | 'policy'>): number {
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
export function resultsEnd(items: readonly Item[], count: number): number {
  let left = count
  for (let index = items.length - 1; index >= 0 && left > 0; index--) {
    if (isResult(items, index) && --left === 0) return index
  }
  return left > 0 ? 0 : items.length
}

/** A result may be a picture and nothing else; one with words counts by those. */
function isResult(items: readonly Item[], index: number): boolean {
  const item = items[index]
  if (item?.kind === 'tool-result') return true
  if (item?.kind !== 'media' || item.role !== 'tool') return false
  const isBeside = (other: Item | undefined): boolean =>
    other?.toolCallId === item.toolCallId && other?.group === item.group && other?.role === 'tool'
  const before = items[index - 1]
  if (isBeside(before)) return false
  for (let at = index + 1; isBeside(items[at]); at += 1) if (items[at]?.kind === 'tool-result') return false
  return true
}
