import { isAcknowledgement } from '../../ladders/index.ts'
import { isAsked } from '../items/asked.ts'
import { factsIn, isTelling } from './repeated-facts.ts'
import { ofTier } from './relief-view.ts'
import type { ReliefView } from './relief-view.ts'
import { olderThanEpisodes } from './episodes.ts'

/** What was said only to say that something was heard, before the newest episode. */
export function acknowledgements(view: ReliefView): readonly number[] {
  return older(view).filter((index) => {
    const item = view.items[index]
    return item?.kind === 'text' && isAcknowledgement(item.text)
  })
}

/**
 * Of what states the same facts the most complete stays, and of equals the latest: items of which every fact stands in others that stay. What
 * was said before the newest episode, evidence and memory.
 */
export function repeats(view: ReliefView): readonly number[] {
  const members = [...ofTier(view, 2), ...ofTier(view, 3), ...older(view)].filter(
    (index) => view.items[index]?.kind !== 'tool-call' && view.items[index]?.text !== '',
  )
  const facts = new Map(members.map((index) => [index, factsOf(view, index)]))
  const size = (index: number): number => facts.get(index)?.length ?? 0
  const known = new Set<string>()
  const found: number[] = []
  for (const index of members.toSorted((a, b) => size(b) - size(a) || b - a)) {
    const own = facts.get(index) ?? []
    if (own.some(isTelling) && own.every((fact) => known.has(fact))) found.push(index)
    for (const fact of own) known.add(fact)
  }
  return found.toSorted((a, b) => a - b)
}

/** Results that show a thing as it was before, in order. */
export function supersededResults(view: ReliefView): readonly number[] {
  const over = view.superseded()
  return older(view).filter((index) => over.has(index))
}

/** What was done for a request before the one that is under way: results, calls and thoughts, oldest first. What was said of it stays. */
export function finishedWork(view: ReliefView): readonly number[] {
  const begun = view.items.findLastIndex((item) => isAsked(item) && item.section === 'history')
  return ofTier(view, 4).filter((index) => index < begun && view.items[index]?.kind !== 'text')
}

function older(view: ReliefView): readonly number[] {
  return olderThanEpisodes(view.items, ofTier(view, 4), 1)
}

function factsOf(view: ReliefView, index: number): readonly string[] {
  const item = view.items[index]
  return item === undefined ? [] : factsIn(item)
}
