import type { PostgresReader, PostgresWriter } from '../../kernel/table.ts'
import { figuresSum } from './statistics/figures.ts'
import type { SomeFigures } from './statistics/figures.ts'
import { hourOf, keptModel, mostGroupsAnHour, otherModels, summedRollups } from './statistics/rollups.ts'
import type { StatisticsQuery, StatisticsRow, Tally } from './statistics/rollups.ts'

export const rollupsTable = `
  CREATE TABLE rollups (
    tenant text COLLATE "C" NOT NULL,
    hour_ms double precision NOT NULL,
    model text COLLATE "C" NOT NULL,
    policy text COLLATE "C" NOT NULL,
    figures text NOT NULL,
    PRIMARY KEY (tenant, hour_ms, model, policy)
  );
`

interface Counted {
  readonly tenant: string
  readonly atMs: number
  readonly tally: Tally
}

/** Adds to the sums of an hour; the caller holds their lock. */
export async function addTally(on: PostgresWriter, { tenant, atMs, tally }: Counted): Promise<void> {
  const hourMs = hourOf(atMs)
  const { policy } = tally
  const asked = keptModel(tally.model)
  const rows = await on.all(
    `SELECT model, figures, (SELECT count(*) FROM rollups WHERE tenant = $1 AND hour_ms = $2) AS groups
     FROM (VALUES ($3), ($4)) AS asked (model) LEFT JOIN
       (SELECT model, figures FROM rollups WHERE tenant = $1 AND hour_ms = $2 AND policy = $5) AS found USING (model)`,
    tenant,
    hourMs,
    asked,
    otherModels,
    policy,
  )
  const figuresOf = (model: string): unknown => rows.find((row) => row['model'] === model)?.['figures']
  const isFull = Number(rows[0]?.['groups']) >= mostGroupsAnHour
  const model = typeof figuresOf(asked) !== 'string' && isFull ? otherModels : asked
  const before = figuresOf(model)
  const sum = figuresSum()
  sum.add(tally.figures)
  if (typeof before === 'string') sum.add(JSON.parse(before) as SomeFigures)
  on.send(
    `INSERT INTO rollups (tenant, hour_ms, model, policy, figures) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (tenant, hour_ms, model, policy) DO UPDATE SET figures = excluded.figures`,
    tenant,
    hourMs,
    model,
    policy,
    JSON.stringify(sum.figures()),
  )
}

export async function sumRollups(
  on: PostgresReader,
  tenant: string,
  query: StatisticsQuery,
): Promise<readonly StatisticsRow[]> {
  const { sinceMs = Number.MIN_SAFE_INTEGER, untilMs = Number.MAX_SAFE_INTEGER } = query
  const rows = await on.all(
    'SELECT hour_ms, model, policy, figures FROM rollups WHERE tenant = $1 AND hour_ms >= $2 AND hour_ms < $3',
    tenant,
    sinceMs,
    untilMs,
  )
  const rollups = rows.map((row) => ({
    hourMs: Number(row['hour_ms']),
    model: String(row['model']),
    policy: String(row['policy']),
    figures: JSON.parse(String(row['figures'])) as SomeFigures,
  }))
  return summedRollups(rollups, query)
}
