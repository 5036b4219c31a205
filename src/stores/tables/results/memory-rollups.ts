import type { MemoryPortable } from '../../kernel/table.ts'
import { addedFigures, noFigures } from './statistics/figures.ts'
import type { SomeFigures } from './statistics/figures.ts'
import { formOf, rollupForms } from './statistics/rollup-forms.ts'
import type { RollupForm } from './statistics/rollup-forms.ts'
import { hourOf, mostGroupsAnHour, summedRollups } from './statistics/rollups.ts'
import type { Rollup, StatisticsQuery, StatisticsRow, Tally } from './statistics/rollups.ts'

/** What requests came to by hours, in memory. */
export interface MemoryRollups {
  readonly portable: MemoryPortable
  tenants(): Iterable<string>
  add(tenant: string, atMs: number, tally: Tally): void
  sum(tenant: string, query: StatisticsQuery): readonly StatisticsRow[]
}

/** All sums of a store: what is counted is counted in each that it belongs to. */
export function memoryRollups(): MemoryRollups {
  const [byModel, byAsker] = rollupForms
  const [models, askers] = [rollupsIn(byModel), rollupsIn(byAsker)]
  return {
    add(...counted) {
      models.add(...counted)
      askers.add(...counted)
    },
    tenants: models.tenants,
    portable: {
      *rows(asked) {
        yield* models.portable.rows(asked)
        yield* askers.portable.rows(asked)
      },
      put: (row, from) => (row.relation === byAsker.relation ? askers : models).portable.put(row, from),
      drop: (tenant) => (models.portable.drop?.(tenant) ?? 0) + (askers.portable.drop?.(tenant) ?? 0),
    },
    sum: (tenant, query) => (formOf(query) === byAsker ? askers : models).sum(tenant, query),
  }
}

interface Group {
  readonly cells: readonly string[]
  readonly rollup: Rollup
}

type Groups = Map<string, Group>

function rollupsIn(form: RollupForm): MemoryRollups {
  const tenants = new Map<string, Map<number, Groups>>()
  const groupsOf = (tenant: string, hourMs: number): Groups => {
    const hours = tenants.get(tenant) ?? new Map<number, Groups>()
    const groups: Groups = hours.get(hourMs) ?? new Map<string, Group>()
    tenants.set(tenant, hours.set(hourMs, groups))
    return groups
  }
  const put = (groups: Groups, hourMs: number, cells: readonly string[], figures: SomeFigures): void =>
    void groups.set(JSON.stringify(cells), { cells, rollup: { hourMs, ...form.rollupOf(cells), figures } })
  return {
    add(tenant, atMs, tally) {
      const asked = form.cellsOf(tally)
      if (asked === undefined) return
      const hourMs = hourOf(atMs)
      const groups = groupsOf(tenant, hourMs)
      const isKnown = groups.has(JSON.stringify(asked)) || groups.size < mostGroupsAnHour
      const cells = isKnown ? asked : form.othersOf(asked)
      const before = groups.get(JSON.stringify(cells))?.rollup.figures
      put(groups, hourMs, cells, addedFigures({ ...noFigures, ...before }, tally.figures))
    },
    tenants: () => tenants.keys(),
    portable: {
      *rows({ tenant: asked }) {
        for (const [tenant, hours] of tenants)
          if (asked === undefined || asked === tenant)
            for (const [hourMs, groups] of hours)
              for (const { cells, rollup } of groups.values())
                yield { relation: form.relation, cells: [tenant, hourMs, ...cells, JSON.stringify(rollup.figures)] }
      },
      put({ cells: [tenant, hour, ...rest] }) {
        const figures = JSON.parse(String(rest.at(-1))) as SomeFigures
        put(groupsOf(String(tenant), Number(hour)), Number(hour), rest.slice(0, -1).map(String), figures)
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
        hours.flatMap((groups) => Array.from(groups.values(), ({ rollup }) => rollup)),
        query,
      )
    },
  }
}
