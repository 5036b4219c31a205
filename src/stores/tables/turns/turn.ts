import type { Item, ItemKind, Role } from '../../../core/index.ts'
import type { Scope } from '../../kernel/scope.ts'

/** What one item of a conversation said, as the client sent it. */
export interface TurnItem {
  readonly itemId: string
  readonly kind: ItemKind
  readonly role?: Role
  readonly section: Item['section']
  readonly toolName?: string
  readonly text: string
}

/** What one request added to its conversation. */
export interface Turn {
  /** Counts the requests of the lane, from 1. */
  readonly turn: number
  readonly lane: string
  readonly requestId: string
  /** Milliseconds since the epoch. */
  readonly createdMs: number
  /** Empty where texts are not recorded. */
  readonly items: readonly TurnItem[]
}

/** Adds a turn to the log of a lane. */
export interface TurnWrite {
  readonly requestId: string
  readonly items: readonly TurnItem[]
}

export interface TurnQuery {
  /** Without it those of all lanes, one lane after the other. */
  readonly lane?: string
  /** The first and the last turn of a lane. */
  readonly from?: number
  readonly to?: number
  readonly limit: number
}

/** An item of a turn that says what was searched. */
export interface FoundTurnItem extends Omit<Turn, 'items'> {
  readonly item: TurnItem
}

/** The same over the sessions of a tenant. */
export interface FoundInTenant extends FoundTurnItem {
  readonly session: string
}

/** Conversations of a tenant that are searched, those last used first. */
export const mostSearched = 100

export interface TurnReads {
  list(tenant: string, session: string, query: TurnQuery): readonly Turn[]
  /** Whether a request is in the log of a session. */
  has(tenant: string, session: string, requestId: string): boolean
  /** Items in all lanes of a session that say some of the words, the best first. */
  search(scope: Scope, words: string, limit: number): readonly FoundTurnItem[]
  /** The same in the `mostSearched` conversations of a tenant that were used last. */
  searchTenant(tenant: string, words: string, limit: number): readonly FoundInTenant[]
}

export interface TurnTypes {
  readonly write: TurnWrite
  readonly reads: TurnReads
}
