import type { Item, Ledger } from '../core/index.ts'
import { entriesOf, ledgerUpTo, sharedBeginning } from '../compiler/index.ts'

/** Gives the keys under which the ledger of a conversation knows items. */
export type KeysOf<Known> = (items: readonly Item[], known: Known) => readonly string[]

/** What is known of a conversation between two of its requests. */
export interface KnownConversation {
  readonly ledger?: Ledger
  /** Items of the last request up to the model's last word in it. */
  readonly answeredItems?: number
  /** Items of the last request; the ledger has more where hidden rounds have followed. All of its by default. */
  readonly requestItems?: number
}

/** A request, as the continuation of one of several conversations. */
export interface Continuation<Known extends KnownConversation> {
  readonly known: Known
  readonly items: readonly Item[]
  /**
   * Present where the two go different ways from somewhere on: what was decided before they parted. What is known of the other
   * stays as it is.
   */
  readonly parted?: { readonly ledger: Ledger }
  /** Where it has all of the conversation's last request and one answer of the model since: the key of that answer's first item. */
  readonly answerKey?: string
}

/**
 * The conversation that a request continues: the one with which it has the longest beginning in common. `itemsOf` gives the
 * request as an item of that conversation would see it, with everything put back that was added to it.
 */
export function continuation<Known extends KnownConversation>(
  conversations: readonly Known[],
  itemsOf: (known: Known) => readonly Item[],
  keysOf: KeysOf<Known>,
): Continuation<Known> | undefined {
  let best: Match<Known> | undefined
  for (const known of conversations) {
    const match = matchOf(known, itemsOf(known), keysOf)
    if (best === undefined || isCloser(match, best)) best = match
  }
  if (!best) return undefined
  const { known, items, shared } = best
  const { ledger } = known
  const parted = ledger && hasParted(best) && { parted: { ledger: ledgerUpTo(ledger, shared) } }
  const answerKey = answerKeyOf(best)
  return { known, items, ...parted, ...(answerKey !== undefined && { answerKey }) }
}

/** How many items the model's last word in a request ends. */
export function answeredItems(items: readonly Item[]): number {
  return 1 + items.findLastIndex(({ role }) => role === 'assistant')
}

interface Match<Known extends KnownConversation> {
  readonly known: Known
  readonly items: readonly Item[]
  readonly keys: readonly string[]
  /** Items that the request begins with and the conversation's last one did. */
  readonly shared: number
  /** Items of the conversation's last request after those, and how many of them the request still has. */
  readonly rest: number
  readonly kept: number
}

function matchOf<Known extends KnownConversation>(
  known: Known,
  items: readonly Item[],
  keysOf: KeysOf<Known>,
): Match<Known> {
  if (!known.ledger) return { known, items, keys: [], shared: 0, rest: 0, kept: 0 }
  const keys = keysOf(items, known)
  const shared = sharedBeginning(known.ledger, keys)
  const rest = entriesOf(known.ledger).slice(shared, known.requestItems)
  const present = rest.length === 0 ? undefined : new Set(keys.slice(shared))
  return { known, items, keys, shared, rest: rest.length, kept: rest.filter(({ key }) => present?.has(key)).length }
}

/** By the beginning in common, then by what is still there of the rest, then by what is not. */
function isCloser<Known extends KnownConversation>(one: Match<Known>, other: Match<Known>): boolean {
  if (one.shared !== other.shared) return one.shared > other.shared
  return one.kept === other.kept ? one.rest < other.rest : one.kept > other.kept
}

function answerKeyOf<Known extends KnownConversation>(match: Match<Known>): string | undefined {
  const { items, keys, shared, rest } = match
  if (shared === 0 || rest > 0) return undefined
  const since = items.slice(shared)
  const begins = since.flatMap(({ role }, at) =>
    role === 'assistant' && since[at - 1]?.role !== 'assistant' ? [shared + at] : [],
  )
  return begins.length === 1 ? keys[begins[0] ?? 0] : undefined
}

/**
 * Whether a request goes another way than the conversation did. It does not where the client has rewritten what came before
 * (most of what followed is still there), nor where it has only taken back words that the model has answered meanwhile.
 */
function hasParted<Known extends KnownConversation>({ known, items, shared, rest, kept }: Match<Known>): boolean {
  if (rest === 0 || kept * 2 > rest) return false
  const goesOn = items.slice(shared).some(({ role }) => role === 'assistant')
  return shared < (known.answeredItems ?? Number.POSITIVE_INFINITY) || !goesOn
}
