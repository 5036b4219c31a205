import type { Item } from '../src/core/index.ts'

/** Names, numbers and paths: what has a capital inside a sentence, a digit, or a sign that words do not have. */
export function factsOf(text: string): readonly string[] {
  const words = text.match(
    /(?<=[\p{L}\p{N},;] )\p{Lu}[\p{L}'-]{2,}|[\p{L}\p{N}_.-]*\p{N}[\p{L}\p{N}_.:-]*|[\p{L}\p{N}_-]+(?:[/._][\p{L}\p{N}_-]+)+/gu,
  )
  return [...new Set((words ?? []).map((word) => word.toLowerCase().replace(/[.:-]+$/, '')))].filter(
    (word) => word.length > 1,
  )
}

/** A name that comes again and again stands in any part of a conversation: of the needed ones those that stand in two messages at most. */
export function rareFacts(items: readonly Item[], needed: ReadonlySet<string>): readonly string[] {
  const spread = new Map<string, number>()
  for (const { text } of items) for (const fact of factsOf(text)) spread.set(fact, (spread.get(fact) ?? 0) + 1)
  const found = items.filter(({ id }) => needed.has(id)).flatMap(({ text }) => factsOf(text))
  return [...new Set(found)].filter((fact) => (spread.get(fact) ?? 0) <= 2)
}

/** The share of some values that something holds of; all of none. */
export function shareOf<Value>(values: readonly Value[], holds: (value: Value) => boolean): number {
  return values.length === 0 ? 1 : values.filter(holds).length / values.length
}
