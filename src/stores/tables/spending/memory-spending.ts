import type { MemoryPortable, MemoryTable } from '../../kernel/table.ts'
import { idsKeptMs, oldestDay } from './spending.ts'
import type { SpendingSum, SpendingTypes, SpendingWrite } from './spending.ts'
import { spendingIn, sumIn } from './spending-rows.ts'

interface Counted {
  readonly sums: Map<string, SpendingSum>
  readonly ids: Map<string, SpendingWrite & { readonly atMs: number }>
}

export function memorySpending(): MemoryTable<SpendingTypes> {
  const tenants = new Map<string, Counted>()
  const of = (tenant: string): Counted => {
    const counted = tenants.get(tenant) ?? { sums: new Map(), ids: new Map() }
    tenants.set(tenant, counted)
    return counted
  }
  return {
    apply({ id, spent, lapsed }, { scope: { tenant }, nowMs: atMs }) {
      const counted = of(tenant)
      const known = counted.ids.get(id)
      if (known !== undefined && (known.lapsed !== true || lapsed === true)) return
      for (const sum of known?.spent ?? []) add(counted, { ...sum, amount: -sum.amount })
      for (const sum of spent) add(counted, sum)
      counted.ids.set(id, { id, spent, atMs, ...(lapsed && { lapsed }) })
    },
    reads: {
      standing(tenant, { since, ids }) {
        const counted = tenants.get(tenant)
        const sums = [...(counted?.sums.values() ?? [])].filter(({ day }) => day >= since)
        const recorded = ids.flatMap((id) => {
          const { atMs: _, ...write } = counted?.ids.get(id) ?? { atMs: 0 }
          return 'id' in write ? [write] : []
        })
        return { sums, recorded }
      },
    },
    portable: portableSpending(tenants, of),
    prune({ nowMs }) {
      let rows = 0
      const oldest = oldestDay(nowMs)
      for (const { sums, ids } of tenants.values()) {
        for (const [id, { atMs }] of ids) if (atMs < nowMs - idsKeptMs && ids.delete(id)) rows += 1
        for (const [key, { day }] of sums) if (day < oldest && sums.delete(key)) rows += 1
      }
      return rows
    },
  }
}

/** Its tenants as rows, and from rows. */
function portableSpending(tenants: Map<string, Counted>, of: (tenant: string) => Counted): MemoryPortable {
  return {
    *rows({ tenant: asked }) {
      for (const [tenant, { sums, ids }] of tenants) {
        if (asked !== undefined && asked !== tenant) continue
        for (const { id, spent, lapsed, atMs } of ids.values())
          yield { relation: 'spending', cells: [tenant, id, atMs, lapsed ? 1 : 0, JSON.stringify(spent)] }
        for (const { scope, day, unit, amount } of sums.values())
          yield { relation: 'spending_sums', cells: [tenant, scope, day, unit, amount] }
      }
    },
    put({ relation, cells: [tenant, second, third, fourth, fifth] }) {
      const counted = of(String(tenant))
      if (relation === 'spending_sums')
        return add(counted, sumIn({ scope: second, day: third, unit: fourth, amount: fifth }))
      const write = spendingIn({ id: second, lapsed: fourth, spent: fifth })
      counted.ids.set(write.id, { ...write, atMs: Number(third) })
    },
    drop(tenant) {
      const { sums, ids } = of(tenant)
      tenants.delete(tenant)
      return sums.size + ids.size
    },
  }
}

function add({ sums }: Counted, sum: SpendingSum): void {
  const key = JSON.stringify([sum.scope, sum.day, sum.unit])
  sums.set(key, { ...sum, amount: (sums.get(key)?.amount ?? 0) + sum.amount })
}
