import type { CompileInput, CompileResult, Item, PackMessage } from '../../core/index.ts'

/** The input of `sweepPositions`: one piece of evidence, the needle, is ranked at several positions. */
export interface PositionSweep {
  /** Compiles the input at each position: `compile`, or the method of a compiler. */
  readonly compile: (input: CompileInput) => CompileResult
  /** Everything but the needle; the scores of its evidence are replaced. */
  readonly input: CompileInput
  /** A piece of evidence that stands nowhere else. */
  readonly needle: Item
  /** How often the needle is ranked anew, from best to worst, in even steps; at least 2. */
  readonly ranks: number
  /** Who reads the request and answers; without one nothing is known of what is recalled. */
  readonly read?: (messages: readonly PackMessage[]) => Promise<string> | string
  /** What a right answer holds. */
  readonly expected?: string
}

/** What became of the needle at one rank. */
export interface SweptPosition {
  /** Among all evidence, 1 is best. */
  readonly rank: number
  /** Whether the needle stands in the pack, word for word. */
  readonly isThere: boolean
  /** Share of the request's characters that stand before it; absent where it is not there. */
  readonly depth?: number
  /** Whether the reader's answer held what was expected; absent where nobody read. */
  readonly isRecalled?: boolean
}

/**
 * Where one piece of evidence comes to stand as it ranks from best to worst among the others, and whether a reader of one's own finds it
 * there. Of a layout this says where things are; what a model makes of it only a model tells.
 */
export async function sweepPositions(sweep: PositionSweep): Promise<readonly SweptPosition[]> {
  const others = sweep.input.items.filter(({ section }) => section === 'evidence').length
  const steps = Math.max(2, sweep.ranks)
  const ranks = Array.from({ length: steps }, (_, step) => 1 + Math.round((step * others) / (steps - 1)))
  const found: SweptPosition[] = []
  for (const rank of new Set(ranks)) found.push(await at(sweep, rank, others + 1))
  return found
}

async function at(
  { compile, input, needle, read, expected }: PositionSweep,
  rank: number,
  of: number,
): Promise<SweptPosition> {
  const messages = compile({ ...input, items: rankedItems(input.items, needle, { rank, of }) }).pack?.messages ?? []
  const text = messages.map((message) => message.text).join('')
  const place = text.indexOf(needle.text)
  const answer = read === undefined ? undefined : await read(messages)
  return {
    rank,
    isThere: place >= 0,
    ...(place >= 0 && { depth: place / text.length }),
    ...(answer !== undefined && { isRecalled: answer.includes(expected ?? needle.text) }),
  }
}

/** The evidence in its order, with the needle at a rank; relevance falls from 1 in even steps. */
function rankedItems(
  items: readonly Item[],
  needle: Item,
  { rank, of }: { readonly rank: number; readonly of: number },
): readonly Item[] {
  const relevance = (place: number): number => 1 - (place - 1) / of
  let place = 0
  const others = items.map((item) => {
    if (item.section !== 'evidence') return item
    place += 1
    return { ...item, scores: { relevance: relevance(place < rank ? place : place + 1) } }
  })
  return [...others, { ...needle, scores: { relevance: relevance(rank) } }]
}
