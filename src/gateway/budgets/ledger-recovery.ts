import type { Ledgers, OpenReservation, SpendingSum, SpendingWrite, Store } from '../../stores/index.ts'
import { accountsOfSums, sumsOfAccounts } from './limit-entries.ts'
import { sinceDay } from './periods.ts'

export interface RecoveryParts {
  readonly ledgers: Ledgers
  readonly store: Pick<Store, 'commit' | 'read'>
  readonly clock: () => number
  /** Told of reservations that lapsed. */
  readonly told: (count: number) => void
}

/** Brings a ledger and the store together. */
export interface LedgerRecovery {
  commit(tenant: string, write: SpendingWrite): Promise<void>
  /** Has the ledger hold what the store holds; false where it is not there, or others settle all the time. */
  confirm(tenant: string): Promise<boolean>
  /** Counts reservations whose owners have died as spent; `isHeld` are our own. Never rejects: whoever reserves next is told of them again. */
  resolve(tenant: string, lapsed: readonly OpenReservation[], isHeld: (id: string) => boolean): Promise<void>
}

/** Confirmations that a settlement overtakes are tried again. */
const mostTries = 20

export function ledgerRecovery({ ledgers, store, clock, told }: RecoveryParts): LedgerRecovery {
  const confirming = new Map<string, Promise<boolean>>()
  const next = new Map<string, Promise<boolean>>()
  const resolving = new Set<string>()

  const commit = (tenant: string, write: SpendingWrite): Promise<void> =>
    store.commit({ scope: { tenant, session: 'budgets' }, nowMs: clock(), writes: [{ table: 'spending', ...write }] })

  const confirmed = async (tenant: string): Promise<boolean> => {
    for (let tries = 0; tries < mostTries; tries += 1) {
      const view = await ledgers.ledger(tenant)
      if (view === undefined) return false
      const { epoch, settlements, openIds: ids } = view
      const { sums, recorded } = await store.read('spending').standing(tenant, { since: sinceDay(clock()), ids })
      const known = { sums: accountsOfSums(sums), recorded: recorded.map(({ id }) => id) }
      if (await ledgers.confirm(tenant, { epoch, settlements, ...known })) return true
    }
    return false
  }

  const begun = (tenant: string): Promise<boolean> => {
    const work = confirmed(tenant).finally(() => confirming.delete(tenant))
    confirming.set(tenant, work)
    return work
  }
  /** Whoever asks while one runs waits for the next: the one that runs may have read the store before. */
  const confirm = (tenant: string): Promise<boolean> => {
    const running = confirming.get(tenant)
    if (running === undefined) return begun(tenant)
    const after = (): Promise<boolean> => {
      next.delete(tenant)
      return begun(tenant)
    }
    const work = next.get(tenant) ?? running.then(after, after)
    next.set(tenant, work)
    return work
  }

  /** The provider may have billed all of it: so it is spent until somebody knows better. */
  const lapse = async (tenant: string, { id, entries }: OpenReservation): Promise<void> => {
    const bound = sumsOfAccounts(entries)
    const spent = bound.length === 0 ? bound : await recordedAs(tenant, { id, spent: bound, lapsed: true })
    const answer = await ledgers.settle(tenant, { id, spent: accountsOfSums(spent) })
    if (answer === 'settled') told(1)
    // Nobody adds it any more: the ledger may have been confirmed just before.
    else if (answer === 'unknown') await confirm(tenant)
  }
  const recordedAs = async (tenant: string, write: SpendingWrite): Promise<readonly SpendingSum[]> => {
    await commit(tenant, write)
    const asked = { since: noDay, ids: [write.id] }
    const { recorded } = await store.read('spending').standing(tenant, asked)
    return recorded[0]?.spent ?? write.spent
  }

  return {
    commit,
    confirm,
    async resolve(tenant, lapsed, isHeld) {
      for (const one of lapsed) {
        if (resolving.has(one.id) || isHeld(one.id)) continue
        resolving.add(one.id)
        await lapse(tenant, one).catch(() => undefined)
        resolving.delete(one.id)
      }
    },
  }
}

/** After every day of which there are sums. */
const noDay = '9999-12-31'
