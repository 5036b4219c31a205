import type { MemoryTable } from '../../kernel/table.ts'
import { nextEntry } from './audit-chain.ts'
import { auditColumns, auditIn, auditValues } from './audit-rows.ts'
import type { AuditEntry, AuditOrder, AuditPlace, AuditTypes } from './audit-entry.ts'

export function memoryAudit(): MemoryTable<AuditTypes> {
  const chains = new Map<string, AuditEntry[]>()
  return {
    apply(change, { scope: { tenant }, nowMs }) {
      const chain = chains.get(tenant) ?? []
      chains.set(tenant, chain)
      chain.push(nextEntry(chain.at(-1), { tenant, atMs: nowMs, change }))
    },
    reads: {
      list({ tenant, order, limit, after }) {
        const asked = tenant === undefined ? [...chains.values()].flat() : (chains.get(tenant) ?? [])
        const compare = inOrder[order]
        return asked
          .filter((entry) => after === undefined || compare(after, entry) < 0)
          .toSorted(compare)
          .slice(0, limit)
      },
    },
    portable: {
      *rows({ tenant: asked }) {
        for (const [tenant, chain] of chains)
          if (asked === undefined || asked === tenant)
            for (const entry of chain) yield { relation: 'audit', cells: auditValues(entry) }
      },
      put({ cells }) {
        const entry = auditIn(Object.fromEntries(auditColumns.split(', ').map((name, at) => [name, cells[at]])))
        chains.set(entry.tenant, [...(chains.get(entry.tenant) ?? []), entry])
      },
      drop(tenant) {
        const rows = chains.get(tenant)?.length ?? 0
        chains.delete(tenant)
        return rows
      },
    },
    prune({ nowMs, retention: { auditAgeMs } }) {
      if (auditAgeMs === undefined) return 0
      let rows = 0
      for (const chain of chains.values()) {
        const kept = chain.findIndex(({ atMs }) => atMs >= nowMs - auditAgeMs)
        // The last entry stays: the next one names its hash.
        rows += chain.splice(0, kept < 0 ? chain.length - 1 : kept).length
      }
      return rows
    },
  }
}

const byName = (one: AuditPlace, other: AuditPlace): number =>
  one.tenant === other.tenant ? 0 : one.tenant < other.tenant ? -1 : 1

const inOrder: Readonly<Record<AuditOrder, (one: AuditPlace, other: AuditPlace) => number>> = {
  newest: (one, other) => other.atMs - one.atMs || byName(other, one) || other.seq - one.seq,
  chain: (one, other) => byName(one, other) || one.seq - other.seq,
}
