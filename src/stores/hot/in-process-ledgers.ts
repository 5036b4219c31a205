import type {
  AccountEntry,
  AccountStanding,
  Confirmation,
  Ledgers,
  LedgerEntry,
  LedgerOwner,
  LedgerView,
  OpenReservation,
  Reserved,
  ReserveOrder,
  Settled,
  Settlement,
} from './ledger.ts'
import { PassingMap } from '../../host/index.ts'

export interface InProcessLedgers extends Ledgers {
  /** Forgets everything, as a server does that is started again. */
  flush(): void
}

interface Account {
  settled: number
  open: number
  untilMs: number
}

interface Kept {
  readonly owner: string
  readonly entries: readonly LedgerEntry[]
}

interface Held {
  readonly epoch: string
  opensMs: number
  settlements: number
  /** When it was confirmed last; undefined where it never was. */
  confirmedMs: number | undefined
  /** When owners and old rows are looked through next. */
  checkMs: number
  readonly accounts: Map<string, Account>
  readonly open: PassingMap<string, Kept>
  readonly owners: Map<string, number>
  /** When what was settled was settled. */
  readonly done: PassingMap<string, number>
}

/** How long a settled id is remembered: longer than any command is on its way. */
export const rememberedMs = 120_000
/** Between two looks through a ledger, at most. */
export const mostBetweenChecksMs = 60_000
/** After so long a ledger is to be confirmed again: a process may have died between the store and the ledger. */
export const confirmedForMs = 60_000
/** Lapsed reservations told at a time. */
export const mostLapsed = 50

/** Ledgers of one process. `newEpoch` tells a ledger from the one that was there before. */
export function inProcessLedgers(clock: () => number, mostLedgers: number): InProcessLedgers {
  const ledgers = new PassingMap<string, Held>()
  let epochs = 0
  const opened = (name: string, graceMs: number): Held => {
    const known = ledgers.get(name)
    if (known !== undefined) {
      // A clock that was put back does not make anybody wait longer.
      known.opensMs = Math.min(known.opensMs, clock() + graceMs)
      return known
    }
    const held = newLedger(`${(epochs += 1)}`, clock() + graceMs)
    ledgers.set(name, held)
    for (const oldest of ledgers.keys()) {
      if (ledgers.size <= mostLedgers) break
      if (oldest !== name && ledgers.get(oldest)?.open.size === 0) ledgers.delete(oldest)
    }
    return held
  }
  return {
    reserve: async (name, order) => reserved(opened(name, order.graceMs), order, clock()),
    settle: async (name, settlement) => settled(ledgers.get(name), settlement, clock()),
    async announce(name, owner, open) {
      const held = opened(name, owner.graceMs)
      alive(held, owner, clock())
      for (const { id, entries } of open)
        if (held.done.get(id) === undefined) openOne(held, { id, owner: owner.owner, entries })
      return lapsedOf(held, clock())
    },
    ledger: async (name) => viewOf(ledgers.get(name)),
    confirm: async (name, confirmation) => confirmed(ledgers.get(name), confirmation, clock()),
    dropLedger: async (name) => ledgers.delete(name),
    flush: () => ledgers.clear(),
  }
}

function newLedger(epoch: string, opensMs: number): Held {
  const maps = { accounts: new Map(), open: new PassingMap<string, Kept>(), owners: new Map() }
  return { epoch, opensMs, settlements: 0, confirmedMs: undefined, checkMs: 0, done: new PassingMap(), ...maps }
}

function reserved(held: Held, order: ReserveOrder, nowMs: number): Reserved {
  const { id, owner, entries } = order
  const lapsed = lapsedOf(held, nowMs)
  const accounts = entries.map(({ account }) => held.accounts.get(account) ?? { settled: 0, open: 0, untilMs: 0 })
  const answer = (outcome: Reserved['outcome'], more: Partial<Reserved> = {}): Reserved => ({
    outcome,
    waitMs: 0,
    isStale: false,
    accounts: accounts.map(({ settled: spent, open }) => ({ settled: spent, open })),
    lapsed,
    ...more,
  })
  if (nowMs < held.opensMs) return answer('waiting', { waitMs: held.opensMs - nowMs })
  if (held.confirmedMs === undefined) return answer('unconfirmed')
  const isStale = Math.abs(nowMs - held.confirmedMs) > confirmedForMs
  if (isStale) held.confirmedMs = nowMs
  if (id !== undefined && held.done.get(id) !== undefined) return answer('refused', { isStale })
  if (id !== undefined && held.open.get(id) !== undefined) return answer('granted', { isStale })
  const at = entries.findIndex((entry, index) => !hasRoom(entry, accounts[index]))
  if (at >= 0) return answer('refused', { at, isStale })
  if (id === undefined) return answer('granted', { isStale })
  alive(held, order, nowMs)
  for (const [index, { account, ttlMs }] of entries.entries()) {
    const found = accounts[index]
    if (found === undefined) continue
    found.untilMs = nowMs + ttlMs
    held.accounts.set(account, found)
  }
  openOne(held, { id, owner, entries: entries.map(({ account, amount }) => ({ account, amount })) })
  return answer('granted', { isStale })
}

function hasRoom({ amount, most }: AccountEntry, account: AccountStanding | undefined): boolean {
  const { settled: spent = 0, open = 0 } = account ?? {}
  return most === undefined || amount === 0 || spent + open + amount <= most
}

function settled(held: Held | undefined, { id, spent }: Settlement, nowMs: number): Settled {
  if (held === undefined) return 'absent'
  held.settlements += 1
  const isNew = held.done.get(id) === undefined
  held.done.set(id, nowMs)
  const isOpen = closeOne(held, id)
  if (!isOpen || !isNew) return 'unknown'
  for (const { account, amount, ttlMs } of spent) {
    const found = accountOf(held, account)
    found.settled += amount
    found.untilMs = Math.max(found.untilMs, nowMs + ttlMs)
  }
  return 'settled'
}

function confirmed(held: Held | undefined, confirmation: Confirmation, nowMs: number): boolean {
  const { epoch, settlements, sums, recorded } = confirmation
  if (held === undefined || held.epoch !== epoch || held.settlements !== settlements) return false
  if (nowMs < held.opensMs) return false
  for (const id of recorded) {
    closeOne(held, id)
    held.done.set(id, nowMs)
  }
  for (const { account, amount, ttlMs } of sums) {
    const found = accountOf(held, account)
    found.settled = amount
    found.untilMs = nowMs + ttlMs
  }
  held.confirmedMs = nowMs
  return true
}

function viewOf(held: Held | undefined): LedgerView | undefined {
  if (held === undefined) return undefined
  const { epoch, settlements, confirmedMs, open } = held
  return { epoch, settlements, isConfirmed: confirmedMs !== undefined, openIds: [...open.keys()] }
}

function alive(held: Held, { owner, ownerMs }: LedgerOwner, nowMs: number): void {
  held.owners.set(owner, nowMs + ownerMs)
  held.checkMs = Math.min(held.checkMs, nowMs + ownerMs)
}

function openOne(held: Held, { id, ...reservation }: OpenReservation & { readonly owner: string }): void {
  if (held.open.get(id) !== undefined) return
  held.open.set(id, reservation)
  for (const { account, amount } of reservation.entries) accountOf(held, account).open += amount
}

/** Whether it was open. */
function closeOne(held: Held, id: string): boolean {
  const found = held.open.get(id)
  if (found === undefined) return false
  held.open.delete(id)
  for (const { account, amount } of found.entries) {
    const of = accountOf(held, account)
    of.open = Math.max(0, of.open - amount)
  }
  return true
}

function accountOf({ accounts }: Held, name: string): Account {
  const known = accounts.get(name)
  if (known !== undefined) return known
  const account = { settled: 0, open: 0, untilMs: 0 }
  accounts.set(name, account)
  return account
}

/** The reservations of owners that live no longer; also lets go of what is too old to matter. */
function lapsedOf(held: Held, nowMs: number): readonly OpenReservation[] {
  if (nowMs < held.checkMs) return []
  for (const id of held.done.keys()) {
    if ((held.done.get(id) ?? 0) >= nowMs - rememberedMs) break
    held.done.delete(id)
  }
  for (const [name, { open, untilMs }] of held.accounts) if (open === 0 && untilMs < nowMs) held.accounts.delete(name)
  const isDead = (owner: string): boolean => (held.owners.get(owner) ?? 0) <= nowMs
  const holding = new Set(Array.from(held.open.values(), ({ owner }) => owner))
  const dead = Array.from(held.open.keys()).flatMap((id) => {
    const kept = held.open.get(id)
    return kept && isDead(kept.owner) ? [{ id, entries: kept.entries }] : []
  })
  for (const owner of held.owners.keys()) if (isDead(owner) && !holding.has(owner)) held.owners.delete(owner)
  const nextMs = Math.min(nowMs + mostBetweenChecksMs, ...[...held.owners.values()].filter((ends) => ends > nowMs))
  held.checkMs = dead.length > 0 ? nowMs : nextMs
  return dead.slice(0, mostLapsed)
}
