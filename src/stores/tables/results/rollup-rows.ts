import type { DatabaseSync } from 'node:sqlite'
import { figuresSum } from './statistics/figures.ts'
import type { FiguresSum, SomeFigures } from './statistics/figures.ts'
import { formOf, rollupForms } from './statistics/rollup-forms.ts'
import type { RollupForm } from './statistics/rollup-forms.ts'
import { figuresOfResult, hourOf, mostGroupsAnHour, summedRollups } from './statistics/rollups.ts'
import type { Rollup, StatisticsQuery, StatisticsRow, Tally } from './statistics/rollups.ts'
import type { ReceiptResult } from '../receipts/receipt-result.ts'

export interface RollupTable {
  /** Counts something, in the sums that `flush` writes. */
  add(tenant: string, atMs: number, tally: Tally): void
  /** Writes what was counted since; to be called within the transaction that it belongs to. */
  flush(): void
  /** Takes back what was counted since, with its transaction. */
  forget(): void
  sum(tenant: string, query: StatisticsQuery): readonly StatisticsRow[]
}

/** What was counted of an hour and is not written yet. */
interface Pending {
  readonly tenant: string
  readonly hourMs: number
  readonly cells: readonly string[]
  readonly sum: FiguresSum
}

export function rollupTable(db: DatabaseSync, form: RollupForm): RollupTable {
  const { relation, columns } = form
  const names = columns.join(', ')
  const isThere = columns.map((name) => `${name} = ?`).join(' AND ')
  const select = db.prepare(`SELECT figures FROM ${relation} WHERE tenant = ? AND hour_ms = ? AND ${isThere}`)
  const groups = db.prepare(`SELECT count(*) AS groups FROM ${relation} WHERE tenant = ? AND hour_ms = ?`)
  const write = db.prepare(
    `INSERT INTO ${relation} (tenant, hour_ms, ${names}, figures) VALUES (?, ?, ${columns.map(() => '?').join(', ')}, ?)
     ON CONFLICT DO UPDATE SET figures = excluded.figures`,
  )
  const between = db.prepare(
    `SELECT hour_ms, ${names}, figures FROM ${relation} WHERE tenant = ? AND hour_ms >= ? AND hour_ms < ?`,
  )

  const found = (tenant: string, hourMs: number, cells: readonly string[]): SomeFigures | undefined => {
    const row = select.get(tenant, hourMs, ...cells)
    return row && (JSON.parse(String(row['figures'])) as SomeFigures)
  }

  const put = ({ tenant, hourMs, cells: asked, sum }: Pending): void => {
    let cells = asked
    let before = found(tenant, hourMs, cells)
    if (!before && Number(groups.get(tenant, hourMs)?.['groups']) >= mostGroupsAnHour) {
      cells = form.othersOf(cells)
      before = found(tenant, hourMs, cells)
    }
    if (before) sum.add(before)
    write.run(tenant, hourMs, ...cells, JSON.stringify(sum.figures()))
  }

  const pending = new Map<string, Pending>()
  return {
    add(tenant, atMs, tally) {
      const cells = form.cellsOf(tally)
      if (cells === undefined) return
      const hourMs = hourOf(atMs)
      const key = JSON.stringify([tenant, hourMs, ...cells])
      const known = pending.get(key) ?? { tenant, hourMs, cells, sum: figuresSum() }
      pending.set(key, known)
      known.sum.add(tally.figures)
    },
    flush() {
      for (const each of pending.values()) put(each)
      pending.clear()
    },
    forget: () => pending.clear(),
    sum(tenant, query) {
      const { sinceMs = Number.MIN_SAFE_INTEGER, untilMs = Number.MAX_SAFE_INTEGER } = query
      return summedRollups(rollupsOf(between.iterate(tenant, sinceMs, untilMs), form), query)
    },
  }
}

/** All sums of a store: what is counted is counted in each that it belongs to. */
export function rollupTables(db: DatabaseSync): RollupTable {
  const tables = rollupForms.map((form) => ({ form, table: rollupTable(db, form) }))
  return {
    add(...counted) {
      for (const { table } of tables) table.add(...counted)
    },
    flush() {
      for (const { table } of tables) table.flush()
    },
    forget() {
      for (const { table } of tables) table.forget()
    },
    sum: (tenant, query) => tables.find(({ form }) => form === formOf(query))?.table.sum(tenant, query) ?? [],
  }
}

export const askerRollups = `
  CREATE TABLE asker_rollups (
    tenant TEXT NOT NULL,
    hour_ms INTEGER NOT NULL,
    key_id TEXT NOT NULL,
    team TEXT NOT NULL,
    user_name TEXT NOT NULL,
    model TEXT NOT NULL,
    policy TEXT NOT NULL,
    figures TEXT NOT NULL,
    PRIMARY KEY (tenant, hour_ms, key_id, team, user_name, model, policy)
  ) WITHOUT ROWID;
`

function* rollupsOf(rows: Iterable<Record<string, unknown>>, form: RollupForm): Generator<Rollup> {
  for (const row of rows) {
    yield {
      hourMs: Number(row['hour_ms']),
      ...form.rollupOf(form.columns.map((name) => String(row[name]))),
      figures: JSON.parse(String(row['figures'])) as SomeFigures,
    }
  }
}

/** Counts what stands in the receipts of a database from before it was counted. */
export function countReceipts(db: DatabaseSync): void {
  const [byModel] = rollupForms
  const table = rollupTable(db, byModel)
  const rows = db
    .prepare('SELECT tenant, created_ms, model, policy, result FROM receipts JOIN results USING (sequence)')
    .iterate()
  for (const row of rows) {
    const result = JSON.parse(String(row['result'])) as ReceiptResult
    const model = result.answeredBy ?? String(row['model'] ?? '')
    const tally = { model, policy: String(row['policy'] ?? ''), figures: figuresOfResult(result) }
    table.add(String(row['tenant']), Number(row['created_ms']), tally)
  }
  table.flush()
}
