import type { PassageIndex } from '../../knowledge/index.ts'
import { passageIndex } from '../../knowledge/index.ts'
import type { LabelledPassage, LabelledQuestion } from './labelled-set.ts'
import { bestOf } from './pack-passages.ts'
import type { Shown } from './pack-passages.ts'

/** The ways to pack that anybody would try first. Their passages are all that counts against the budget: no frame, no question. */
export const naiveNames = ['bm25', 'head', 'tail', 'oracle'] as const
export type NaiveName = (typeof naiveNames)[number]

export interface NaivePacker {
  pack(name: NaiveName, question: LabelledQuestion, budgetTokens: number): Shown
}

/** Whole passages until nothing more fits: in order, from the end, by plain BM25, or those that are needed, smallest first. */
export function naivePacker(passages: readonly LabelledPassage[], count: (text: string) => number): NaivePacker {
  const tokens = passages.map(({ text }) => count(text) + 1)
  const index = passageIndex(
    passages.map(({ text }) => ({ text })),
    plainTerms,
  )
  return {
    pack(name, question, budgetTokens) {
      const order = orders[name]({ index, question, tokens })
      const shown = new Set<number>()
      let used = 0
      for (const at of order) {
        const next = tokens[at] ?? 0
        if (used + next > budgetTokens) {
          if (isStrict(name)) break
          continue
        }
        shown.add(at)
        used += next
      }
      return { tokens: used, isWhole: (at) => shown.has(at), hasQuote: ({ at }) => shown.has(at) }
    },
  }
}

export function plainTerms(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Whoever takes the first or the last of a text stops where it is full. */
function isStrict(name: NaiveName): boolean {
  return name === 'head' || name === 'tail'
}

interface Ordering {
  readonly index: PassageIndex
  readonly question: LabelledQuestion
  readonly tokens: readonly number[]
}

const orders: Readonly<Record<NaiveName, (ordering: Ordering) => Iterable<number>>> = {
  head: ({ tokens }) => tokens.keys(),
  tail: ({ tokens }) => Array.from(tokens.keys()).toReversed(),
  bm25: ({ index, question, tokens }) =>
    bestOf(index.score(new Map(plainTerms(question.text).map((term) => [term, 1])), 0), tokens.length),
  oracle: ({ question, tokens }) => question.evidence.toSorted((a, b) => (tokens[a] ?? 0) - (tokens[b] ?? 0) || a - b),
}
