import { setTimeout as delay } from 'node:timers/promises'
import { PrehendError } from '../../core/index.ts'
import type {
  AccountEntry,
  LedgerOwner,
  Ledgers,
  OpenReservation,
  Reserved,
  SpendingWrite,
} from '../../stores/index.ts'
import type { Store } from '../../stores/index.ts'
import { ledgerRecovery } from './ledger-recovery.ts'

/** How a process keeps its reservations. */
export interface DeskTimes {
  /** Between two signs of life. */
  readonly beatMs: number
  /** Without a sign of life for so long its reservations lapse. */
  readonly ownerMs: number
  /** So long a ledger that was lost grants nothing: two beats, or 0 where it cannot outlive those who use it. */
  readonly graceMs: number
}

export const usualTimes: DeskTimes = { beatMs: 1000, ownerMs: 30_000, graceMs: 2000 }

export interface DeskParts {
  readonly ledgers: Ledgers
  readonly store: Pick<Store, 'commit' | 'read'>
  /** Names this process among all that share the ledgers. */
  readonly owner: string
  readonly clock: () => number
  readonly times?: DeskTimes
  readonly wait?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined
  /** Told of reservations that nobody has settled, and of settlements that are tried again. */
  readonly told?: (what: 'lapsed' | 'retried', count: number) => void
}

export interface DeskOrder {
  /** Absent where the accounts are only read. */
  readonly id?: string
  readonly entries: readonly AccountEntry[]
}

export interface DeskSettlement {
  readonly id: string
  readonly spent: readonly AccountEntry[]
  /** What the store has still to be told; absent where it knows, and where nothing lasts. */
  readonly write?: SpendingWrite | undefined
}

/** One process at the ledgers: what it holds it announces until the store has it, whatever becomes of servers meanwhile. */
export interface LedgerDesk {
  /** Grants or refuses. Rejects with `store-failed` or `unavailable` where that cannot be known; nothing is held then. */
  reserve(tenant: string, order: DeskOrder): Promise<Reserved>
  /** Never rejects: what cannot be written now is tried again with each beat. Resolves after the first try. */
  settle(tenant: string, settlement: DeskSettlement): Promise<void>
  /** A sign of life; also tries again what has failed. Comes by itself while there is anything to say. */
  beat(): Promise<void>
  isIdle(): boolean
  /** Gives up waiting; what is not settled yet is tried once more. */
  close(): Promise<void>
}

/** What a process has of one tenant. */
interface Held {
  readonly open: Map<string, OpenReservation>
  readonly unsettled: Map<string, DeskSettlement>
  /** Settlements that are on their way. */
  readonly busy: Set<string>
  /** Whether the ledger may differ from the store. */
  isDoubtful: boolean
}

/** A ledger that others keep from being confirmed is given up after so many tries. */
const mostTries = 20
/** Of a server that answers nothing for a long time; the oldest are forgotten, and lapse with their owner. */
const mostUnsettled = 10_000

export function ledgerDesk(parts: DeskParts): LedgerDesk {
  const { ledgers, times = usualTimes, told = () => undefined } = parts
  const owner: LedgerOwner = { owner: parts.owner, ownerMs: times.ownerMs, graceMs: times.graceMs }
  const wait = parts.wait ?? ((ms, signal) => delay(ms, undefined, { signal, ref: false }))
  const closing = new AbortController()
  const tenants = new Map<string, Held>()
  const recovery = ledgerRecovery({ ...parts, told: (count) => told('lapsed', count) })
  let isBeating = false

  const heldOf = (tenant: string): Held => {
    const held = tenants.get(tenant) ?? { open: new Map(), unsettled: new Map(), busy: new Set(), isDoubtful: false }
    tenants.set(tenant, held)
    begin()
    return held
  }
  const letGo = (tenant: string, held: Held): void => {
    if (held.open.size + held.unsettled.size === 0 && !held.isDoubtful) tenants.delete(tenant)
  }
  const doubt = (tenant: string): void => {
    heldOf(tenant).isDoubtful = true
  }
  const isHeld = (tenant: string) => (id: string) =>
    tenants.get(tenant)?.open.has(id) === true || tenants.get(tenant)?.unsettled.has(id) === true

  const reserved = async (tenant: string, { id, entries }: DeskOrder): Promise<Reserved> => {
    const order = { ...owner, ...(id !== undefined && { id }), entries: entries.map(plainEntry) }
    for (let tries = 0; ; tries += 1) {
      const answer = await ledgers.reserve(tenant, order)
      if (answer.lapsed.length > 0) void recovery.resolve(tenant, answer.lapsed, isHeld(tenant))
      if (answer.isStale) doubt(tenant)
      if (answer.outcome === 'granted' && id !== undefined) heldOf(tenant).open.set(id, reservationOf(id, entries))
      if (answer.outcome === 'granted' || answer.outcome === 'refused') return answer
      if (tries >= mostTries) throw notReady()
      if (answer.outcome === 'waiting') await wait(answer.waitMs, closing.signal)
      else await recovery.confirm(tenant)
    }
  }

  const settled = async (tenant: string, settlement: DeskSettlement): Promise<void> => {
    const { id } = settlement
    const held = heldOf(tenant)
    held.unsettled.set(id, settlement)
    for (const oldest of held.unsettled.keys()) {
      if (held.unsettled.size <= mostUnsettled) break
      held.unsettled.delete(oldest)
    }
    await alone(held, id, async () => {
      await written(tenant, held, settlement)
      await closed(tenant, held, settlement)
    })
    if (held.isDoubtful) await heal(tenant, held)
    letGo(tenant, held)
  }
  const written = async (tenant: string, held: Held, { id, spent, write }: DeskSettlement): Promise<void> => {
    if (write) await recovery.commit(tenant, write)
    // From here on the store has it, and the ledger is told once.
    held.open.delete(id)
    held.unsettled.set(id, { id, spent })
  }
  const closed = async (tenant: string, held: Held, { id, spent }: DeskSettlement): Promise<void> => {
    const answer = await ledgers.settle(tenant, { id, spent: spent.map(plainEntry) })
    if (answer !== 'settled') {
      // Somebody may have counted it as lapsed; nothing takes the place of that.
      if (spent.length === 0) await recovery.commit(tenant, { id, spent: [] })
      held.isDoubtful = true
    }
    held.unsettled.delete(id)
  }
  const heal = async (tenant: string, held: Held): Promise<void> => {
    const view = await ledgers.ledger(tenant)
    // A ledger that is new is confirmed before it grants anything.
    if (view?.isConfirmed !== true || (await recovery.confirm(tenant))) held.isDoubtful = false
  }

  const beatOf = async (tenant: string, held: Held): Promise<void> => {
    const waiting = [...held.unsettled.values()].filter(({ id }) => !held.busy.has(id))
    if (waiting.length > 0) told('retried', waiting.length)
    const all = (work: typeof written) => async (): Promise<void> => {
      for (const { id } of waiting) {
        const one = held.unsettled.get(id)
        if (one) await alone(held, id, () => work(tenant, held, one))
      }
    }
    const announced = async (): Promise<void> => {
      if (held.open.size === 0) return
      const lapsed = await ledgers.announce(tenant, owner, [...held.open.values()])
      await recovery.resolve(tenant, lapsed, isHeld(tenant))
    }
    // Each is tried, whatever has become of the others.
    const steps = [all(written), announced, all(async (...given) => closed(...given)), () => doubted(tenant, held)]
    for (const step of steps) await step().catch(() => undefined)
    letGo(tenant, held)
  }
  const doubted = async (tenant: string, held: Held): Promise<void> => {
    if (held.isDoubtful) await heal(tenant, held)
  }
  const beat = async (): Promise<void> => {
    await Promise.all([...tenants].map(([tenant, held]) => beatOf(tenant, held)))
  }
  const begin = (): void => {
    if (isBeating || closing.signal.aborted) return
    isBeating = true
    void beating()
      .catch(() => undefined)
      .finally(() => (isBeating = false))
  }
  const beating = async (): Promise<void> => {
    do {
      await wait(times.beatMs, closing.signal)
      await beat()
    } while (tenants.size > 0)
  }

  return {
    async reserve(tenant, order) {
      try {
        return await reserved(tenant, order)
      } catch (error) {
        // The server may have granted it all the same.
        if (order.id !== undefined) void settled(tenant, { id: order.id, spent: [] }).catch(() => undefined)
        throw error
      }
    },
    settle: (tenant, settlement) => settled(tenant, settlement).catch(() => undefined),
    beat,
    isIdle: () => tenants.size === 0,
    async close() {
      closing.abort()
      await beat()
    },
  }
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
function plainEntry({ account, amount, most, ttlMs }: AccountEntry): AccountEntry {
  return { account, amount, ttlMs, ...(most !== undefined && { most }) }
}

function reservationOf(id: string, entries: readonly AccountEntry[]): OpenReservation {
  return { id, entries: entries.map(({ account, amount }) => ({ account, amount })) }
}

function notReady(): PrehendError<'unavailable'> {
  const remedy = 'Try again in a moment.'
  return new PrehendError('unavailable', `What was spent so far is not known yet. ${remedy}`, {
    retryAfterMs: 1000,
    remedy,
  })
}
