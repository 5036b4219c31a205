/** A whole amount that counts against one account of a ledger. */
export interface LedgerEntry {
  /** What is counted, for whom, and in which period. */
  readonly account: string
  /** A whole number, 0 or more. */
  readonly amount: number
}

/** An entry, and what holds for its account. */
export interface AccountEntry extends LedgerEntry {
  /** What is settled and what is open may come to so much together; there is no limit where absent. */
  readonly most?: number
  /** How long the account is kept after this, in milliseconds. */
  readonly ttlMs: number
}

/** What one call may cost at most, counted against all of its accounts until it is settled. */
export interface OpenReservation {
  readonly id: string
  readonly entries: readonly LedgerEntry[]
}

/** A process, or a thread, that reserves. It lives as long as it says so again within `ownerMs`. */
export interface LedgerOwner {
  readonly owner: string
  readonly ownerMs: number
  /** After a ledger is new, so long nothing is granted: whoever holds reservations announces them in that time. */
  readonly graceMs: number
}

export interface ReserveOrder extends LedgerOwner {
  /** Absent where nothing is reserved and the accounts are only read. */
  readonly id?: string
  readonly entries: readonly AccountEntry[]
}

/** The sums of an account: what is settled, and what open reservations hold. */
export interface AccountStanding {
  readonly settled: number
  readonly open: number
}

/** The result of a reservation. */
export interface Reserved {
  /**
   * `granted`: all entries are reserved. `refused`: one of them has no room, and none is reserved. `waiting`: the ledger is new, and waits
   * for announcements. `unconfirmed`: it is new, and what was settled before has still to be told by `confirm`.
   */
  readonly outcome: 'granted' | 'refused' | 'waiting' | 'unconfirmed'
  /** The first entry that has no room; absent unless refused, and where the reservation was settled before it came. */
  readonly at?: number
  /** Until the ledger waits no longer; 0 unless it waits. */
  readonly waitMs: number
  /** Whether it was last confirmed long ago; told to one of those who ask. */
  readonly isStale: boolean
  /** The account of each entry, this reservation included. */
  readonly accounts: readonly AccountStanding[]
  /** Reservations of owners that live no longer, some of them where there are many. They count until somebody settles them. */
  readonly lapsed: readonly OpenReservation[]
}

/** The end of a reservation: what was spent in its place. */
export interface Settlement {
  readonly id: string
  /** What it came to; nothing where that is empty. */
  readonly spent: readonly AccountEntry[]
}

/** `unknown`: no such reservation is open; nothing was added. `absent`: the ledger is not there. */
export type Settled = 'settled' | 'unknown' | 'absent'

/** Which reservations a ledger holds, and how often something was settled in it. */
export interface LedgerView {
  /** Another one where the ledger was lost and made again. */
  readonly epoch: string
  readonly settlements: number
  readonly isConfirmed: boolean
  readonly openIds: readonly string[]
}

/** The sums of accounts as the store has them, for a ledger that has lost them. */
export interface Confirmation extends Pick<LedgerView, 'epoch' | 'settlements'> {
  /** What is settled in accounts, in place of what the ledger holds. */
  readonly sums: readonly AccountEntry[]
  /** Open reservations that the sums hold already. */
  readonly recorded: readonly string[]
}

/**
 * Amounts that are reserved before they are spent, by any number of processes at once. Of each account, what is settled and what is open
 * never come to more than the limit that a reservation names. A ledger may be lost: the sums of what was settled are told to it again.
 * An id that was settled is never opened again.
 */
export interface Ledgers {
  /** Reserves all entries or none, in one step. */
  reserve(ledger: string, order: ReserveOrder): Promise<Reserved>
  /** Closes a reservation, and adds what it came to. */
  settle(ledger: string, settlement: Settlement): Promise<Settled>
  /** Says that the owner lives, and which reservations it holds: those that the ledger has lost are open again. */
  announce(ledger: string, owner: LedgerOwner, open: readonly OpenReservation[]): Promise<readonly OpenReservation[]>
  /** Undefined where there is no such ledger. */
  ledger(name: string): Promise<LedgerView | undefined>
  /**
   * Tells what is settled, as somebody has read it elsewhere after `ledger`. False, and nothing is changed, where something was settled since
   * that view, where the ledger is another one, and where it still waits for announcements.
   */
  confirm(ledger: string, confirmation: Confirmation): Promise<boolean>
  /** Removes a ledger with all that it holds, such as that of a tenant who is deleted. */
  dropLedger(name: string): Promise<void>
}
