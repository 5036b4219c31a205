import { rehydrateToolName, userTurnAt } from '../../core/index.ts'
import type { HygienePolicy, Item, ReasonCode } from '../../core/index.ts'
import type { CallFacts, FactReader } from '../../ladders/index.ts'

/** Why an item of a conversation needs to stand no longer; each is a reason in receipts. */
export type OutdatedBy = Extract<ReasonCode, 'released' | 'superseded' | 'voided'>

export interface OutdatedOptions {
  readonly items: readonly Item[]
  /** The call that each item belongs to, counted from 1. */
  readonly steps: readonly number[]
  readonly facts: FactReader
  readonly hygiene: HygienePolicy
  /** Tools whose calls and results exist because of us. */
  readonly hiddenTools: readonly string[]
}

/**
 * What a conversation has no use for any more: what a tool of ours has brought back, once its step is over; what was found for an earlier turn of
 * the user; and, where the policy
 * says so, what shows a thing as it was before it was read, written or run again, or what an error has shown not to hold. By index. What no
 * turn has read yet is never among them.
 */
export function outdatedItems(options: OutdatedOptions): ReadonlyMap<number, OutdatedBy> {
  const { items, hygiene, hiddenTools } = options
  const found = new Map<number, OutdatedBy>()
  const read = items.findLastIndex(({ role }) => role === 'assistant')
  if (hygiene.voided === true) for (const index of voidedResults(options)) found.set(index, 'voided')
  if (hygiene.superseded === true) for (const index of supersededResults(options)) found.set(index, 'superseded')
  if (hygiene.release !== 'never' && hiddenTools.includes(rehydrateToolName))
    for (const index of broughtBackBefore(items, stepEnd(items))) found.set(index, 'released')
  if (hygiene.release !== 'never') for (const index of foundForEarlierTurns(items)) found.set(index, 'released')
  for (const index of found.keys()) if (index >= read) found.delete(index)
  return found
}

/** Asked at every compile: one look at each item, and no more. */
function broughtBackBefore(items: readonly Item[], end: number): readonly number[] {
  const found: number[] = []
  for (let index = 0; index < end; index += 1) {
    const item = items[index]
    if (item?.toolName === rehydrateToolName && (item.kind === 'tool-result' || item.kind === 'media'))
      found.push(index)
  }
  return found
}

function foundForEarlierTurns(items: readonly Item[]): readonly number[] {
  if (items.every(({ lasts }) => lasts === undefined)) return []
  const turn = userTurnAt(items)
  // What is cited keeps its text.
  return items.flatMap(({ lasts, citable }, index) =>
    index < turn && lasts === 'turn' && citable !== true ? [index] : [],
  )
}

/**
 * Where the step begins that the model is at. A step is over once the user speaks after the model's reply to it, or once the model has read what
 * came of what it did there.
 */
function stepEnd(items: readonly Item[]): number {
  let replies = 0
  for (let index = items.length - 1; index > 0; index -= 1) {
    const isReply = items[index]?.role === 'assistant'
    if (isReply && items[index - 1]?.role !== 'assistant') replies += 1
    const asks = items[index]?.role === 'user' && items[index]?.kind === 'text'
    if (replies === 2 || (asks && replies === 0 && items[index - 1]?.role === 'assistant')) return index
  }
  return 0
}

/** A result with what its call does. */
interface Done {
  readonly index: number
  readonly call: Item
  readonly facts: CallFacts
  readonly failed: boolean
}

/** In order; of a call that was answered more than once, the last. */
function doneIn({ items, steps, facts }: OutdatedOptions): readonly Done[] {
  const calls = new Map<number, Item>()
  const done: Done[] = []
  for (const [index, item] of items.entries()) {
    const step = steps[index] ?? 0
    if (item.kind === 'tool-call') calls.set(step, item)
    const call = item.kind === 'tool-result' ? calls.get(step) : undefined
    if (call === undefined) continue
    const failed = item.status === 'error' || facts.ofText(item.text).states.includes(1)
    done.push({ index, call, facts: facts.ofCall(call.text), failed })
  }
  return done
}

/**
 * Results of calls that were made again word for word; views of files that were written anew or removed since; and views of files that were
 * changed since and then looked at again. What failed changes nothing.
 */
function supersededResults(options: OutdatedOptions): readonly number[] {
  const again = new Set<string>()
  const gone = new Set<string>()
  const viewed = new Set<string>()
  const changed = new Set<string>()
  const found: number[] = []
  for (const { index, call, facts, failed } of doneIn(options).toReversed()) {
    const { shows, writes, removes, edits } = facts
    const key = `${call.toolName ?? ''}\0${call.text}`
    const isOver = shows.length > 0 && shows.every((path) => gone.has(path) || changed.has(path))
    if (again.has(key) || isOver) found.push(index)
    again.add(key)
    if (failed) continue
    for (const path of [...writes, ...removes]) gone.add(path)
    for (const path of edits) if (viewed.has(path)) changed.add(path)
    for (const path of shows) viewed.add(path)
  }
  return found
}

/** The last views of a file before an edit of it that failed: what it replaces was not there. */
function voidedResults(options: OutdatedOptions): readonly number[] {
  const views = new Map<string, number[]>()
  const found: number[] = []
  for (const { index, facts, failed } of doneIn(options)) {
    if (failed)
      for (const path of facts.edits) {
        found.push(...(views.get(path) ?? []))
        views.delete(path)
      }
    else for (const path of facts.shows) views.set(path, [...(views.get(path) ?? []), index])
  }
  return found
}
