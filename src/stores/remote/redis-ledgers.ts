import { randomUUID } from 'node:crypto'
import type {
  AccountStanding,
  Ledgers,
  LedgerEntry,
  LedgerView,
  OpenReservation,
  Reserved,
  Settled,
} from '../hot/ledger.ts'
import { announceScript, confirmScript, dropScript, reserveScript, settleScript, viewScript } from './ledger-scripts.ts'

/** Runs a script on some keys. */
export type RunScript = (text: string, keys: readonly string[], given: readonly (string | number)[]) => Promise<unknown>

/** Ledgers in Redis: each operation is one script. Keys of one ledger stand on one server of a cluster. */
export function redisLedgers(run: RunScript, prefix: string): Ledgers {
  const keysOf = (ledger: string): readonly string[] => {
    const key = `${prefix}ledger:{${encodeURIComponent(ledger)}}`
    return [key, `${key}:settled`]
  }
  return {
    async reserve(ledger, order) {
      const { id, owner, entries } = order
      const kept = id === undefined ? '' : reservationText(owner, entries)
      return reservedOf(await run(reserveScript, keysOf(ledger), [JSON.stringify(order), kept, randomUUID()]))
    },
    async settle(ledger, { id, spent }) {
      return (await run(settleScript, keysOf(ledger), [id, JSON.stringify(spent)])) as Settled
    },
    async announce(ledger, owner, open) {
      const all = open.flatMap(({ id, entries }) => [id, reservationText(owner.owner, entries)])
      return lapsedOf(await run(announceScript, keysOf(ledger), [JSON.stringify(owner), randomUUID(), ...all]))
    },
    ledger: async (name) => viewOf(await run(viewScript, keysOf(name), [])),
    async confirm(ledger, { epoch, settlements, sums, recorded }) {
      const given = [epoch, settlements, JSON.stringify(sums), JSON.stringify(recorded)]
      return (await run(confirmScript, keysOf(ledger), given)) === 1
    },
    async dropLedger(name) {
      await run(dropScript, keysOf(name), [])
    },
  }
}

interface KeptReservation {
  readonly owner: string
  readonly entries: readonly LedgerEntry[]
}

function reservationText(owner: string, entries: readonly LedgerEntry[]): string {
  const kept = { owner, entries: entries.map(({ account, amount }) => ({ account, amount })) }
  return JSON.stringify(kept satisfies KeptReservation)
}

function reservedOf(answer: unknown): Reserved {
  const [outcome, at, waitMs, accounts, dead, stale] = listOf(answer)
  return {
    outcome: outcome as Reserved['outcome'],
    ...(Number(at) >= 0 && { at: Number(at) }),
    waitMs: Number(waitMs),
    isStale: stale === 1,
    accounts: standingsOf(listOf(accounts)),
    lapsed: lapsedOf(dead),
  }
}

function standingsOf(figures: readonly unknown[]): readonly AccountStanding[] {
  return Array.from({ length: figures.length / 2 }, (_, at) => ({
    settled: Number(figures[2 * at]),
    open: Number(figures[2 * at + 1]),
  }))
}

function lapsedOf(answer: unknown): readonly OpenReservation[] {
  return listOf(answer).map((one) => {
    const [id, text] = listOf(one)
    return { id: String(id), entries: (JSON.parse(String(text)) as KeptReservation).entries }
  })
}

function viewOf(answer: unknown): LedgerView | undefined {
  const [epoch, settlements, confirmed, ids] = listOf(answer)
  if (epoch === undefined) return undefined
  return {
    epoch: String(epoch),
    settlements: Number(settlements),
    isConfirmed: confirmed !== '0',
    openIds: listOf(ids).map(String),
  }
}

function listOf(answer: unknown): readonly unknown[] {
  return Array.isArray(answer) ? (answer as readonly unknown[]) : []
}
