import { setTimeout as delay } from 'node:timers/promises'
import { PrehendError } from '../../core/index.ts'
import type { AccountEntry, LedgerOwner, Ledgers, Reserved } from '../../stores/index.ts'
import type { Store } from '../../stores/index.ts'
import { ledgerRecovery } from './ledger-recovery.ts'
import { plainEntry, tenantDesk } from './tenant-desk.ts'
import type { DeskSettlement, TenantDesk } from './tenant-desk.ts'

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

/** A ledger that others keep from being confirmed is given up after so many tries. */
const mostTries = 20

export function ledgerDesk(parts: DeskParts): LedgerDesk {
  const { ledgers, times = usualTimes, told = () => undefined } = parts
  const owner: LedgerOwner = { owner: parts.owner, ownerMs: times.ownerMs, graceMs: times.graceMs }
  const closing = new AbortController()
  const waiting = parts.wait ?? ((ms, signal) => delay(ms, undefined, { signal, ref: false }))
  const wait = (ms: number): Promise<void> => waiting(ms, closing.signal)
  const tenants = new Map<string, TenantDesk>()
  const recovery = ledgerRecovery({ ...parts, told: (count) => told('lapsed', count) })
  const beat = async (): Promise<void> => {
    await Promise.all(Array.from(tenants.values(), (desk) => desk.beat()))
    for (const [tenant, desk] of tenants) if (desk.isIdle()) tenants.delete(tenant)
  }
  const begin = beatingWhile(() => tenants.size > 0, { wait: () => wait(times.beatMs), beat, closing: closing.signal })
  const deskOf = (tenant: string): TenantDesk => {
    const retried = (count: number): void => told('retried', count)
    const desk = tenants.get(tenant) ?? tenantDesk({ ledgers, recovery, owner, tenant, retried })
    tenants.set(tenant, desk)
    begin()
    return desk
  }
  const isHeld = (tenant: string) => (id: string) => tenants.get(tenant)?.isHeld(id) === true
  const reserved = async (tenant: string, { id, entries }: DeskOrder): Promise<Reserved> => {
    const order = { ...owner, ...(id !== undefined && { id }), entries: entries.map(plainEntry) }
    for (let tries = 0; ; tries += 1) {
      const answer = await ledgers.reserve(tenant, order)
      if (answer.lapsed.length > 0) void recovery.resolve(tenant, answer.lapsed, isHeld(tenant))
      if (answer.isStale) deskOf(tenant).doubt()
      if (answer.outcome === 'granted' && id !== undefined) deskOf(tenant).hold(id, entries)
      if (answer.outcome === 'granted' || answer.outcome === 'refused') return answer
      if (tries >= mostTries) throw notReady()
      if (answer.outcome === 'waiting') await wait(answer.waitMs)
      else await recovery.confirm(tenant)
    }
  }
  const settled = (tenant: string, settlement: DeskSettlement): Promise<void> =>
    deskOf(tenant)
      .settle(settlement)
      .catch(() => undefined)
  return {
    async reserve(tenant, order) {
      try {
        return await reserved(tenant, order)
      } catch (error) {
        // The server may have granted it all the same.
        if (order.id !== undefined) void settled(tenant, { id: order.id, spent: [] })
        throw error
      }
    },
    settle: settled,
    beat,
    isIdle: () => Array.from(tenants.values()).every((desk) => desk.isIdle()),
    async close() {
      closing.abort()
      await beat()
    },
  }
}

interface Beating {
  wait(): Promise<void>
  beat(): Promise<void>
  readonly closing: AbortSignal
}

/** Begins beats that go on as long as there is anything to say; nothing where they go on already. */
function beatingWhile(hasWork: () => boolean, { wait, beat, closing }: Beating): () => void {
  let isBeating = false
  const beating = async (): Promise<void> => {
    do {
      await wait()
      await beat()
    } while (hasWork())
  }
  return () => {
    if (isBeating || closing.aborted) return
    isBeating = true
    void beating()
      .catch(() => undefined)
      .finally(() => (isBeating = false))
  }
}

function notReady(): PrehendError<'unavailable'> {
  const remedy = 'Try again in a moment.'
  return new PrehendError('unavailable', `What was spent so far is not known yet. ${remedy}`, {
    retryAfterMs: 1000,
    remedy,
  })
}
