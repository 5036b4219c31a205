import type { Item } from '../../core/index.ts'

/** A conversation as pages divide it; indexes of items, in order. */
export interface Divided {
  /** Index behind what is said before the first answer. */
  readonly headEnd: number
  /** What every page has. */
  readonly standing: readonly number[]
  /** What one page has: an exchange, or an item that was collected besides. */
  readonly units: readonly (readonly number[])[]
}

/** What is asked of each item, given its index. */
export interface DivideOptions {
  readonly items: readonly Item[]
  /** It is on no page. */
  isOut(index: number): boolean
  /** It is on each. */
  isWhole(index: number): boolean
}

/**
 * Divides a conversation at the borders of its exchanges. What comes before its first answer, its last exchange and the last that its
 * user has said stand on every page.
 */
export function divided({ items, isOut, isWhole }: DivideOptions): Divided {
  const left = Array.from(items.keys()).filter((index) => !isOut(index))
  const said = left.filter((index) => !isCollected(items[index]) && !isInstruction(items[index]))
  const exchanges = exchangesOf(items, said)
  const first = exchanges[0] ?? []
  const answer = first.findIndex((index) => speakerOf(items[index]) !== 'user')
  const head = answer < 0 ? first : first.slice(0, answer)
  const later = [first.slice(head.length), ...exchanges.slice(1)].filter(({ length }) => length > 0)
  const protectedOnes = new Set([...head, ...(later.at(-1) ?? []), ...lastSaid(items, said)])
  const standing = left.filter((index) => isWhole(index) || isInstruction(items[index]) || protectedOnes.has(index))
  const isStanding = new Set(standing)
  const collected = left.filter((index) => isCollected(items[index])).map((index) => [index])
  const units = [...later, ...collected]
    .map((unit) => unit.filter((index) => !isStanding.has(index)))
    .filter(({ length }) => length > 0)
  const headEnd = head.length > 0 ? (head.at(-1) ?? 0) + 1 : (said[0] ?? items.length)
  return { headEnd, standing, units: units.toSorted(([a = 0], [b = 0]) => a - b) }
}

const collectedSections: ReadonlySet<string> = new Set(['evidence', 'memory', 'situation'])

/** What nobody has said in the conversation. */
function isCollected(item: Item | undefined): boolean {
  if (item === undefined || item.role !== undefined || item.group !== undefined) return false
  return collectedSections.has(item.section)
}

function isInstruction(item: Item | undefined): boolean {
  return item?.kind === 'tool-schema' || item?.role === 'system' || item?.role === 'developer'
}

type Speaker = 'user' | 'assistant' | 'tool'

function speakerOf(item: Item | undefined): Speaker {
  if (item?.kind === 'tool-result' || item?.role === 'tool') return 'tool'
  if (item?.role === 'assistant' || item?.kind === 'tool-call' || item?.kind === 'reasoning') return 'assistant'
  return 'user'
}

/** An exchange begins where the user speaks, or the model after a result; calls and results stay together. */
function exchangesOf(items: readonly Item[], said: readonly number[]): readonly (readonly number[])[] {
  const ends = groupEnds(items, said)
  const exchanges: number[][] = []
  let open = -1
  for (const [at, index] of said.entries()) {
    const before = said[at - 1]
    const begins = before !== undefined && open < index && isBorder(speakerOf(items[before]), speakerOf(items[index]))
    if (begins || exchanges.length === 0) exchanges.push([])
    exchanges.at(-1)?.push(index)
    open = Math.max(open, ends.get(groupOf(items[index])) ?? -1)
  }
  return exchanges
}

function isBorder(before: Speaker, now: Speaker): boolean {
  return now === 'user' ? before !== 'user' : now === 'assistant' && before === 'tool'
}

function groupOf(item: Item | undefined): string | undefined {
  return item?.group ?? item?.toolCallId
}

/** The last member of each group. */
function groupEnds(items: readonly Item[], said: readonly number[]): ReadonlyMap<string | undefined, number> {
  const ends = new Map<string | undefined, number>()
  for (const index of said) ends.set(groupOf(items[index]), index)
  ends.delete(undefined)
  return ends
}

/** All that the user has said last, in one go. */
function lastSaid(items: readonly Item[], said: readonly number[]): readonly number[] {
  const isUser = (index: number | undefined): boolean => index !== undefined && speakerOf(items[index]) === 'user'
  const end = said.findLastIndex(isUser) + 1
  const before = said.slice(0, end).findLastIndex((index) => !isUser(index))
  return said.slice(before + 1, end)
}
