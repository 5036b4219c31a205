import type { MemoryPortable } from '../../kernel/table.ts'
import { addedFigures, noFigures } from './statistics/figures.ts'
import type { SomeFigures } from './statistics/figures.ts'
import { hourOf, keptModel, mostGroupsAnHour, otherModels, summedRollups } from './statistics/rollups.ts'
import type { Rollup, StatisticsQuery, StatisticsRow, Tally } from './statistics/rollups.ts'

/** What requests came to by hours, in memory. */
export interface MemoryRollups {
  readonly portable: MemoryPortable
  tenants(): Iterable<string>
  add(tenant: string, atMs: number, tally: Tally): void
  sum(tenant: string, query: StatisticsQuery): readonly StatisticsRow[]
}

export function memoryRollups(): MemoryRollups {
  const tenants = new Map<string, Map<number, Map<string, Rollup>>>()
  return {
    add(tenant, atMs, { policy, figures, model: given }) {
      const hourMs = hourOf(atMs)
      const hours = tenants.get(tenant) ?? new Map<number, Map<string, Rollup>>()
      const groups = hours.get(hourMs) ?? new Map<string, Rollup>()
      tenants.set(tenant, hours.set(hourMs, groups))
      const isKnown = groups.has(keyOf(keptModel(given), policy)) || groups.size < mostGroupsAnHour
      const model = isKnown ? keptModel(given) : otherModels
      const key = keyOf(model, policy)
      const sum = addedFigures({ ...noFigures, ...groups.get(key)?.figures }, figures)
      groups.set(key, { hourMs, model, policy, figures: sum })
    },
    tenants: () => tenants.keys(),
    portable: {
      *rows({ tenant: asked }) {
        for (const [tenant, hours] of tenants)
          if (asked === undefined || asked === tenant)
            for (const groups of hours.values())
              for (const { hourMs, model, policy, figures } of groups.values())
                yield { relation: 'rollups', cells: [tenant, hourMs, model, policy, JSON.stringify(figures)] }
      },
      put({ cells: [tenant, hour, model, policy, figures] }) {
        const rollup = { hourMs: Number(hour), model: String(model), policy: String(policy) }
        const hours = tenants.get(String(tenant)) ?? new Map<number, Map<string, Rollup>>()
        const groups = hours.get(rollup.hourMs) ?? new Map<string, Rollup>()
        tenants.set(String(tenant), hours.set(rollup.hourMs, groups))
        groups.set(keyOf(rollup.model, rollup.policy), {
          ...rollup,
          figures: JSON.parse(String(figures)) as SomeFigures,
        })
      },
      drop(tenant) {
        const rows = [...(tenants.get(tenant)?.values() ?? [])].reduce((sum, { size }) => sum + size, 0)
        tenants.delete(tenant)
        return rows
      },
    },
    sum: (tenant, query) => {
      const hours = [...(tenants.get(tenant)?.values() ?? [])]
      return summedRollups(
        hours.flatMap((groups) => [...groups.values()]),
        query,
      )
    },
  }
}

function keyOf(model: string, policy: string): string {
  return JSON.stringify([model, policy])
}
