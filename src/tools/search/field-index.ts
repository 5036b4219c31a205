import { rarityOf } from '../../knowledge/index.ts'
import type { ToolField } from './tool-fields.ts'
import { fieldRules, toolFields } from './tool-fields.ts'

/** Where a term stands, and what it adds to the score of each tool. */
interface Postings {
  readonly tools: Int32Array
  readonly values: Float64Array
}

/** Tools by the terms of their fields. */
export interface FieldIndex {
  readonly size: number
  /** 0 for a term that no tool has. */
  rarity(term: string): number
  /**
   * BM25F of each tool (Robertson, Zaragoza, Taylor 2004), over what a term adds at most that a single tool has. Terms that mean about the same count as one: the better of what the term of the query and,
   * at a share of its weight, a related term adds.
   */
  score(weights: ReadonlyMap<string, number>, related: (term: string) => readonly string[]): Float64Array
}

/** How soon saying a term again adds nothing. */
const saturation = 1.5
const relatedShare = 0.3

export function fieldIndex(tools: readonly FieldTerms[]): FieldIndex {
  const size = tools.length
  const postings = postingsOf(tools)
  const unit = rarityOf(1, size) * (saturation + 1)
  const score: FieldIndex['score'] = (weights, related) => {
    const scores = new Float64Array(size)
    const best = new Float64Array(size)
    for (const [term, weight] of weights) {
      const others = related(term).filter((other) => !weights.has(other) && postings.has(other))
      const found = postings.get(term)
      if (found !== undefined) raise(best, found, weight / unit)
      for (const other of others) raise(best, postings.get(other), (weight * relatedShare) / unit)
      for (const one of [term, ...others]) settle(scores, best, postings.get(one))
    }
    return scores
  }
  return {
    size,
    rarity: (term) => {
      const count = postings.get(term)?.tools.length ?? 0
      return count === 0 ? 0 : rarityOf(count, size)
    },
    score,
  }
}

function raise(best: Float64Array, found: Postings | undefined, weight: number): void {
  if (found === undefined) return
  const { tools, values } = found
  for (let at = 0; at < tools.length; at += 1) {
    const tool = tools[at] ?? 0
    best[tool] = Math.max(best[tool] ?? 0, weight * (values[at] ?? 0))
  }
}

/** Adds what a term has come to, once for each tool. */
function settle(scores: Float64Array, best: Float64Array, found: Postings | undefined): void {
  for (const tool of found?.tools ?? []) {
    scores[tool] = (scores[tool] ?? 0) + (best[tool] ?? 0)
    best[tool] = 0
  }
}

type FieldTerms = Readonly<Record<ToolField, readonly string[]>>

function postingsOf(tools: readonly FieldTerms[]): ReadonlyMap<string, Postings> {
  const counts = new Map<string, Map<number, number>>()
  for (const field of toolFields) {
    const mean = meanLength(tools.map((tool) => tool[field].length))
    for (const [at, tool] of tools.entries()) addField(counts, at, { terms: tool[field], ...fieldRules[field], mean })
  }
  const saturations = saturationsOf(tools)
  return new Map(
    Array.from(counts, ([term, byTool]): readonly [string, Postings] => {
      const sorted = Array.from(byTool).toSorted(([one], [other]) => one - other)
      const rarity = rarityOf(sorted.length, tools.length)
      const values = sorted.map(
        ([at, count]) => (rarity * count * (saturation + 1)) / (count + (saturations[at] ?? saturation)),
      )
      return [term, { tools: Int32Array.from(sorted, ([at]) => at), values: Float64Array.from(values) }]
    }),
  )
}

/** A tool that fills more fields than others has more chances of a hit, and each of them tells less. */
function saturationsOf(tools: readonly FieldTerms[]): readonly number[] {
  const filled = tools.map((tool) =>
    toolFields.reduce((sum, field) => sum + (tool[field].length > 0 ? fieldRules[field].weight : 0), 0),
  )
  const mean = filled.reduce((sum, weight) => sum + weight, 0) / (tools.length || 1) || 1
  return filled.map((weight) => (saturation * weight) / mean)
}

/** Of the tools that have the field. */
function meanLength(lengths: readonly number[]): number {
  const filled = lengths.filter((length) => length > 0)
  return filled.reduce((sum, length) => sum + length, 0) / (filled.length || 1) || 1
}

interface WeighedField {
  readonly terms: readonly string[]
  readonly weight: number
  readonly lengthShare: number
  readonly mean: number
}

function addField(
  counts: Map<string, Map<number, number>>,
  at: number,
  { terms, weight, lengthShare, mean }: WeighedField,
): void {
  const share = weight / (1 - lengthShare + (lengthShare * terms.length) / mean)
  for (const term of terms) {
    const byTool = counts.get(term) ?? new Map<number, number>()
    counts.set(term, byTool)
    byTool.set(at, (byTool.get(at) ?? 0) + share)
  }
}
