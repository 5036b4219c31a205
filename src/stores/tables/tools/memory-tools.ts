import { retentionOf } from '../../kernel/retention.ts'
import type { MemoryPortable, MemoryTable } from '../../kernel/table.ts'
import type { ToolCallRecord, ToolRecord, ToolTypes, ToolUsage } from './tool-record.ts'
import { callCells, callColumns, callIn, isFailure, recordIn } from './tool-rows.ts'

interface Owned {
  readonly records: Map<string, ToolRecord>
  readonly calls: Map<string, ToolCallRecord>
  readonly sums: Map<string, ToolUsage>
}

const noUsage: ToolUsage = { offered: 0, called: 0, failed: 0, tokens: 0 }

export function memoryTools(): MemoryTable<ToolTypes> {
  const tenants = new Map<string, Owned>()
  const of = (tenant: string): Owned => {
    const owned = tenants.get(tenant) ?? { records: new Map(), calls: new Map(), sums: new Map() }
    tenants.set(tenant, owned)
    return owned
  }
  return {
    apply(write, { scope: { tenant }, nowMs }) {
      const { records, calls, sums } = of(tenant)
      if ('put' in write) {
        const { put: id, kind, value } = write
        records.set(id, { id, kind, value, writtenMs: nowMs })
      } else if ('drop' in write) records.delete(write.drop)
      else if ('offered' in write) for (const id of new Set(write.offered)) add(sums, id, { offered: 1 })
      else if (!calls.has(write.call.id)) {
        const { id, tool, outcome, tokens } = write.call
        calls.set(id, { ...write.call, atMs: nowMs })
        add(sums, tool, { called: 1, failed: isFailure(outcome) ? 1 : 0, tokens })
      }
    },
    reads: {
      get: (tenant, id) => tenants.get(tenant)?.records.get(id),
      list: (tenant, kind) =>
        [...(tenants.get(tenant)?.records.values() ?? [])]
          .filter((one) => one.kind === kind)
          .toSorted((one, other) => (one.id < other.id ? -1 : 1)),
      usage: (tenant) => Object.fromEntries(tenants.get(tenant)?.sums ?? []),
      calls: ({ tenant, tool, limit }) =>
        [...(tenants.get(tenant)?.calls.values() ?? [])]
          .filter((call) => tool === undefined || call.tool === tool)
          .toSorted((one, other) => other.atMs - one.atMs || (one.id > other.id ? -1 : 1))
          .slice(0, limit),
    },
    prune({ nowMs, retention }) {
      let rows = 0
      for (const [tenant, { calls }] of tenants) {
        const sinceMs = nowMs - retentionOf(retention, tenant).receiptAgeMs
        for (const [id, { atMs }] of calls) if (atMs < sinceMs && calls.delete(id)) rows += 1
      }
      return rows
    },
    portable: portableTools(tenants, of),
  }
}

function add(sums: Map<string, ToolUsage>, tool: string, more: Partial<ToolUsage>): void {
  const { offered, called, failed, tokens } = sums.get(tool) ?? noUsage
  sums.set(tool, {
    offered: offered + (more.offered ?? 0),
    called: called + (more.called ?? 0),
    failed: failed + (more.failed ?? 0),
    tokens: tokens + (more.tokens ?? 0),
  })
}

/** Its tenants as rows, and from rows. */
function portableTools(tenants: Map<string, Owned>, of: (tenant: string) => Owned): MemoryPortable {
  return {
    *rows({ tenant: asked }) {
      for (const [tenant, { records, calls, sums }] of tenants) {
        if (asked !== undefined && asked !== tenant) continue
        for (const { id, kind, value, writtenMs } of records.values())
          yield { relation: 'tools', cells: [tenant, id, kind, JSON.stringify(value), writtenMs] }
        for (const call of calls.values()) yield { relation: 'tool_calls', cells: callCells(tenant, call) }
        for (const [tool, { offered, called, failed, tokens }] of sums)
          yield { relation: 'tool_sums', cells: [tenant, tool, offered, called, failed, tokens] }
      }
    },
    put({ relation, cells }) {
      const { records, calls, sums } = of(String(cells[0]))
      if (relation === 'tools') {
        const [, id, kind, value, written_ms] = cells
        records.set(String(id), recordIn({ id, kind, value, written_ms }))
      } else if (relation === 'tool_calls') {
        const call = callIn(Object.fromEntries(callColumns.map((name, at) => [name, cells[at]])))
        calls.set(call.id, call)
      } else {
        const [, tool, offered, called, failed, tokens] = cells
        const usage = { offered: Number(offered), called: Number(called), failed: Number(failed) }
        sums.set(String(tool), { ...usage, tokens: Number(tokens) })
      }
    },
    drop(tenant) {
      const { records, calls, sums } = of(tenant)
      tenants.delete(tenant)
      return records.size + calls.size + sums.size
    },
  }
}
