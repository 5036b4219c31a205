import type { DatabaseSync } from 'node:sqlite'
import { addedFigures, noFigures } from '../statistics/figures.ts'
import type { SomeFigures } from '../statistics/figures.ts'
import {
  figuresOfResult,
  hourOf,
  keptModel,
  mostGroupsAnHour,
  otherModels,
  summedRollups,
} from '../statistics/rollups.ts'
import type { Rollup, StatisticsQuery, StatisticsRow, Tally } from '../statistics/rollups.ts'
import type { ReceiptResult } from '../receipt-result.ts'

export interface RollupTable {
  add(tenant: string, atMs: number, tally: Tally): void
  sum(tenant: string, query: StatisticsQuery): readonly StatisticsRow[]
}

export function rollupTable(db: DatabaseSync): RollupTable {
  const select = db.prepare('SELECT figures FROM rollups WHERE tenant = ? AND hour_ms = ? AND model = ? AND policy = ?')
  const groups = db.prepare('SELECT count(*) AS groups FROM rollups WHERE tenant = ? AND hour_ms = ?')
  const put = db.prepare(
    `INSERT INTO rollups (tenant, hour_ms, model, policy, figures) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET figures = excluded.figures`,
  )
  const between = db.prepare(
    'SELECT hour_ms, model, policy, figures FROM rollups WHERE tenant = ? AND hour_ms >= ? AND hour_ms < ?',
  )

  const found = (tenant: string, hourMs: number, { model, policy }: Tally): SomeFigures | undefined => {
    const row = select.get(tenant, hourMs, model, policy)
    return row && (JSON.parse(String(row['figures'])) as SomeFigures)
  }

  return {
    add(tenant, atMs, { figures, ...given }) {
      const hourMs = hourOf(atMs)
      let tally = { ...given, model: keptModel(given.model), figures }
      let before = found(tenant, hourMs, tally)
      if (!before && Number(groups.get(tenant, hourMs)?.['groups']) >= mostGroupsAnHour) {
        tally = { ...tally, model: otherModels }
        before = found(tenant, hourMs, tally)
      }
      const sum = addedFigures({ ...noFigures, ...before }, figures)
      put.run(tenant, hourMs, tally.model, tally.policy, JSON.stringify(sum))
    },
    sum(tenant, query) {
      const { sinceMs = Number.MIN_SAFE_INTEGER, untilMs = Number.MAX_SAFE_INTEGER } = query
      return summedRollups(rollupsOf(between.iterate(tenant, sinceMs, untilMs)), query)
    },
  }
}

function* rollupsOf(rows: Iterable<Record<string, unknown>>): Generator<Rollup> {
  for (const row of rows) {
    yield {
      hourMs: Number(row['hour_ms']),
      model: String(row['model']),
      policy: String(row['policy']),
      figures: JSON.parse(String(row['figures'])) as SomeFigures,
    }
  }
}

/** Counts what stands in the receipts of a database from before it was counted. */
export function countReceipts(db: DatabaseSync): void {
  const sums = new Map<string, { readonly tenant: string; readonly atMs: number; readonly tally: Tally }>()
  const rows = db
    .prepare('SELECT tenant, created_ms, model, policy, result FROM receipts JOIN results USING (sequence)')
    .iterate()
  for (const row of rows) {
    const result = JSON.parse(String(row['result'])) as ReceiptResult
    const [tenant, atMs] = [String(row['tenant']), hourOf(Number(row['created_ms']))]
    const model = result.answeredBy ?? keptModel(String(row['model'] ?? ''))
    const policy = String(row['policy'] ?? '')
    const key = JSON.stringify([tenant, atMs, model, policy])
    const figures = addedFigures({ ...noFigures, ...sums.get(key)?.tally.figures }, figuresOfResult(result))
    sums.set(key, { tenant, atMs, tally: { model, policy, figures } })
  }
  const table = rollupTable(db)
  for (const { tenant, atMs, tally } of sums.values()) table.add(tenant, atMs, tally)
}
