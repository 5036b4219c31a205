import type { Item } from '../../core/index.ts'
import { perObject } from '../../core/index.ts'
import type { ReliefView } from './relief-view.ts'
import { touchable } from './relief-view.ts'

/** A text of which no sentence has as many words states no fact that could stand elsewhere. */
const leastWords = 3

/** An item that says nothing of its own. */
export interface RepeatedItem {
  readonly index: number
  /** Where what it says stands. */
  readonly keepers: readonly number[]
}

/**
 * The items of which every fact stands word for word in items of other sections that go before them. Instructions and
 * conversation go before evidence, evidence before what is remembered. Case, white space and punctuation do not count; figures and
 * negations do, since they are words.
 */
export function repeatedFacts(view: ReliefView, isShown: (index: number) => boolean): readonly RepeatedItem[] {
  const { items } = view
  const mayGo = new Set(touchable(view, (item) => isComparable(item, view)))
  const shown = Array.from(items.keys()).filter(isShown)
  const ranked = shown.toSorted((a, b) => placeOf(a, view, mayGo) - placeOf(b, view, mayGo) || a - b)
  const known = new Map<string, number[]>()
  const repeated: RepeatedItem[] = []
  for (const index of ranked) {
    const item = items[index]
    const facts = item === undefined ? [] : factsIn(item)
    const keeperOf = (fact: string): number | undefined =>
      known.get(fact)?.find((other) => items[other]?.section !== items[index]?.section)
    const keepers = mayGo.has(index) && facts.some(isTelling) ? facts.map(keeperOf) : [undefined]
    const found = keepers.filter((keeper) => keeper !== undefined)
    if (found.length === keepers.length) repeated.push({ index, keepers: [...new Set(found)] })
    else for (const fact of facts) note(known, fact, index, items)
  }
  return repeated
}

/** The first item of each section that states a fact. */
function note(known: Map<string, number[]>, fact: string, index: number, items: readonly Item[]): void {
  const before = known.get(fact)
  if (before === undefined) known.set(fact, [index])
  else if (before.every((other) => items[other]?.section !== items[index]?.section)) before.push(index)
}

/** What is said in a conversation is said at its place; what shares a group stands and falls with it. */
function isComparable({ section, group, text }: Item, { tiers }: ReliefView): boolean {
  const tier = tiers.get(section)
  return text !== '' && group === undefined && (tier === 2 || tier === 3)
}

function placeOf(index: number, { items, tiers }: ReliefView, mayGo: ReadonlySet<number>): number {
  return mayGo.has(index) ? (tiers.get(items[index]?.section ?? '') ?? 0) : 0
}

export function isTelling(fact: string): boolean {
  return fact.split(' ').length >= leastWords
}

/** Read once: the same items come again with the next request. */
export const factsIn = perObject((item: Item) => factsOf(item.text))

/** The sentences and lines of a text that have words, in small letters and without signs. */
function factsOf(text: string): readonly string[] {
  return text.split(/[.!?。](?=\s)|\n/).flatMap((piece) => {
    const words =
      piece
        .normalize('NFKC')
        .toLowerCase()
        .match(/[\p{L}\p{N}_]+(?:[.,:/-][\p{L}\p{N}_]+)*/gu) ?? []
    return words.length === 0 ? [] : [words.join(' ')]
  })
}
