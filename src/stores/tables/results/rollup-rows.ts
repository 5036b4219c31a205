import type { DatabaseSync } from 'node:sqlite'
import { figuresSum } from './statistics/figures.ts'
import type { FiguresSum, SomeFigures } from './statistics/figures.ts'
import {
  figuresOfResult,
  hourOf,
  keptModel,
  mostGroupsAnHour,
  otherModels,
  summedRollups,
} from './statistics/rollups.ts'
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
interface Pending extends Omit<Rollup, 'figures'> {
  readonly tenant: string
  readonly sum: FiguresSum
}

export function rollupTable(db: DatabaseSync): RollupTable {
  const select = db.prepare('SELECT figures FROM rollups WHERE tenant = ? AND hour_ms = ? AND model = ? AND policy = ?')
  const groups = db.prepare('SELECT count(*) AS groups FROM rollups WHERE tenant = ? AND hour_ms = ?')
  const write = db.prepare(
    `INSERT INTO rollups (tenant, hour_ms, model, policy, figures) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET figures = excluded.figures`,
  )
  const between = db.prepare(
    'SELECT hour_ms, model, policy, figures FROM rollups WHERE tenant = ? AND hour_ms >= ? AND hour_ms < ?',
  )

  const found = (
    tenant: string,
    hourMs: number,
    { model, policy }: Omit<Tally, 'figures'>,
  ): SomeFigures | undefined => {
    const row = select.get(tenant, hourMs, model, policy)
    return row && (JSON.parse(String(row['figures'])) as SomeFigures)
  }

  const put = ({ tenant, hourMs, model, policy, sum }: Pending): void => {
    let tally = { model, policy }
    let before = found(tenant, hourMs, tally)
    if (!before && Number(groups.get(tenant, hourMs)?.['groups']) >= mostGroupsAnHour) {
      tally = { model: otherModels, policy }
      before = found(tenant, hourMs, tally)
    }
    if (before) sum.add(before)
    write.run(tenant, hourMs, tally.model, policy, JSON.stringify(sum.figures()))
  }

  const pending = new Map<string, Pending>()
  return {
    add(tenant, atMs, { figures, policy, model: asked }) {
      const [hourMs, model] = [hourOf(atMs), keptModel(asked)]
      const key = JSON.stringify([tenant, hourMs, model, policy])
      const known = pending.get(key) ?? { tenant, hourMs, model, policy, sum: figuresSum() }
      pending.set(key, known)
      known.sum.add(figures)
    },
    flush() {
      for (const each of pending.values()) put(each)
      pending.clear()
    },
    forget: () => pending.clear(),
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
  const table = rollupTable(db)
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
