import type { AccountEntry, LedgerOwner, Ledgers, OpenReservation, SpendingWrite } from '../../stores/index.ts'
import type { LedgerRecovery } from './ledger-recovery.ts'

export interface DeskSettlement {
  readonly id: string
  readonly spent: readonly AccountEntry[]
  /** What the store has still to be told; absent where it knows, and where nothing lasts. */
  readonly write?: SpendingWrite | undefined
}

/** What a process has of one tenant: reservations, and settlements that are not through yet. */
export interface TenantDesk {
  hold(id: string, entries: readonly AccountEntry[]): void
  /** The ledger may differ from the store: it is confirmed soon. */
  doubt(): void
  isHeld(id: string): boolean
  isIdle(): boolean
  /** Rejects where it is not through; a beat tries again. */
  settle(settlement: DeskSettlement): Promise<void>
  /** Never rejects. */
  beat(): Promise<void>
}

export interface TenantDeskParts {
  readonly ledgers: Ledgers
  readonly recovery: LedgerRecovery
  readonly owner: LedgerOwner
  readonly tenant: string
  readonly retried: (count: number) => void
}

interface Held {
  readonly open: Map<string, OpenReservation>
  readonly unsettled: Map<string, DeskSettlement>
  /** Settlements that are on their way. */
  readonly busy: Set<string>
  isDoubtful: boolean
}

/** Of a server that answers nothing for a long time; the oldest are forgotten, and lapse with their owner. */
const mostUnsettled = 10_000

export function tenantDesk(parts: TenantDeskParts): TenantDesk {
  const { recovery, ledgers, owner, tenant, retried } = parts
  const held: Held = { open: new Map(), unsettled: new Map(), busy: new Set(), isDoubtful: false }
  const isHeld = (id: string): boolean => held.open.has(id) || held.unsettled.has(id)
  const announced = async (): Promise<void> => {
    if (held.open.size === 0) return
    const lapsed = await ledgers.announce(tenant, owner, [...held.open.values()])
    await recovery.resolve(tenant, lapsed, isHeld)
  }
  return {
    hold: (id, entries) =>
      void held.open.set(id, { id, entries: entries.map(({ account, amount }) => ({ account, amount })) }),
    doubt: () => void (held.isDoubtful = true),
    isHeld,
    isIdle: () => held.open.size + held.unsettled.size === 0 && !held.isDoubtful,
    async settle(settlement) {
      const { id } = settlement
      held.unsettled.set(id, settlement)
      for (const oldest of held.unsettled.keys()) {
        if (held.unsettled.size <= mostUnsettled) break
        held.unsettled.delete(oldest)
      }
      await alone(held, id, async () => {
        await written(parts, held, settlement)
        await closed(parts, held, settlement)
      })
      await healed(parts, held)
    },
    async beat() {
      const waiting = [...held.unsettled.keys()].filter((id) => !held.busy.has(id))
      if (waiting.length > 0) retried(waiting.length)
      const all = (work: typeof written) => async (): Promise<void> => {
        for (const id of waiting) {
          const one = held.unsettled.get(id)
          if (one) await alone(held, id, () => work(parts, held, one))
        }
      }
      // Each is tried, whatever has become of the others.
      for (const step of [all(written), announced, all(closed), () => healed(parts, held)])
        await step().catch(() => undefined)
    },
  }
}

/** The store is told; from then on a reservation is no longer announced. */
async function written(
  { recovery, tenant }: TenantDeskParts,
  held: Held,
  { id, spent, write }: DeskSettlement,
): Promise<void> {
  if (write) await recovery.commit(tenant, write)
  held.open.delete(id)
  held.unsettled.set(id, { id, spent })
}

/** The ledger is told, once the store knows. */
async function closed(
  { ledgers, recovery, tenant }: TenantDeskParts,
  held: Held,
  { id, spent }: DeskSettlement,
): Promise<void> {
  if (held.unsettled.get(id)?.write) return
  const answer = await ledgers.settle(tenant, { id, spent: spent.map(plainEntry) })
  if (answer !== 'settled') {
    // Somebody may have counted it as lapsed; nothing takes the place of that.
    if (spent.length === 0) await recovery.commit(tenant, { id, spent: [] })
    held.isDoubtful = true
  }
  held.unsettled.delete(id)
}

async function healed({ ledgers, recovery, tenant }: TenantDeskParts, held: Held): Promise<void> {
  if (!held.isDoubtful) return
  const view = await ledgers.ledger(tenant)
  // A ledger that is new is confirmed before it grants anything.
  if (view?.isConfirmed !== true || (await recovery.confirm(tenant))) held.isDoubtful = false
}

/** Nothing where the same settlement is on its way already. */
async function alone(held: Held, id: string, work: () => Promise<void>): Promise<void> {
  if (held.busy.has(id)) return
  held.busy.add(id)
  try {
    await work()
  } finally {
    held.busy.delete(id)
  }
}

/** Without what only we know of it. */
export function plainEntry({ account, amount, most, ttlMs }: AccountEntry): AccountEntry {
  return { account, amount, ttlMs, ...(most !== undefined && { most }) }
}
