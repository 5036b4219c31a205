import { compareCodeUnits } from '../../../core/index.ts'
import { retentionOf } from '../../kernel/retention.ts'
import type { MemoryTable } from '../../kernel/table.ts'
import { halvedAt, mostRead, toolUseColumns, toolUseIn } from './tool-uses.ts'
import type { ToolUseChange, ToolUseRow, ToolUsesTypes } from './tool-uses.ts'

interface Kept {
  readonly row: ToolUseRow
  readonly writtenMs: number
}

export function memoryToolUses(): MemoryTable<ToolUsesTypes> {
  const tenants = new Map<string, Map<string, Kept>>()
  const of = (tenant: string): Map<string, Kept> => {
    const rows = tenants.get(tenant) ?? new Map<string, Kept>()
    tenants.set(tenant, rows)
    return rows
  }
  return {
    apply({ uses }, { scope: { tenant }, nowMs: writtenMs }) {
      const rows = of(tenant)
      for (const change of uses) rows.set(change.name, { row: added(rows.get(change.name)?.row, change), writtenMs })
    },
    reads: {
      all: (tenant) =>
        [...(tenants.get(tenant)?.values() ?? [])]
          .toSorted((one, other) => other.writtenMs - one.writtenMs)
          .slice(0, mostRead)
          .map(({ row }) => row)
          .toSorted((one, other) => compareCodeUnits(one.name, other.name)),
    },
    prune({ nowMs, retention }) {
      let gone = 0
      for (const [tenant, rows] of tenants) {
        const sinceMs = nowMs - retentionOf(retention, tenant).sessionIdleMs
        for (const [name, { writtenMs }] of rows) if (writtenMs < sinceMs && rows.delete(name)) gone += 1
      }
      return gone
    },
    portable: {
      *rows({ tenant: asked }) {
        for (const [tenant, rows] of tenants) {
          if (asked !== undefined && asked !== tenant) continue
          for (const { row, writtenMs } of rows.values()) {
            const { name, offered, called, failed, sessions, calledIn, queries } = row
            const counts = [offered, called, failed, sessions, calledIn]
            const said = queries.length === 0 ? null : JSON.stringify(queries)
            yield { relation: 'tool_uses', cells: [tenant, name, ...counts, said, writtenMs] }
          }
        }
      },
      put({ cells: [tenant, ...cells] }) {
        const row = Object.fromEntries(toolUseColumns.map((column, at) => [column, cells[at]]))
        of(String(tenant)).set(String(row['name']), { row: toolUseIn(row), writtenMs: Number(row['written_ms']) })
      },
      drop(tenant) {
        const { size } = of(tenant)
        tenants.delete(tenant)
        return size
      },
    },
  }
}

function added(row: ToolUseRow | undefined, change: ToolUseChange): ToolUseRow {
  if (row === undefined) return { ...change, queries: change.queries ?? [] }
  const isHalved = change.sessions > 0 && row.sessions >= halvedAt
  const kept = (count: number): number => (isHalved ? Math.floor(count / 2) : count)
  return {
    name: row.name,
    offered: row.offered + change.offered,
    called: row.called + change.called,
    failed: row.failed + change.failed,
    sessions: kept(row.sessions) + change.sessions,
    calledIn: kept(row.calledIn) + change.calledIn,
    queries: change.queries ?? row.queries,
  }
}
