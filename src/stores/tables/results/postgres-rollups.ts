import type { PostgresReader, PostgresWriter } from '../../kernel/table.ts'
import { figuresSum } from './statistics/figures.ts'
import type { SomeFigures } from './statistics/figures.ts'
import { formOf, rollupForms } from './statistics/rollup-forms.ts'
import type { RollupForm } from './statistics/rollup-forms.ts'
import { hourOf, mostGroupsAnHour, summedRollups } from './statistics/rollups.ts'
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

export const askerRollupsTable = `
  CREATE TABLE asker_rollups (
    tenant text COLLATE "C" NOT NULL,
    hour_ms double precision NOT NULL,
    key_id text COLLATE "C" NOT NULL,
    team text COLLATE "C" NOT NULL,
    user_name text COLLATE "C" NOT NULL,
    model text COLLATE "C" NOT NULL,
    policy text COLLATE "C" NOT NULL,
    figures text NOT NULL,
    PRIMARY KEY (tenant, hour_ms, key_id, team, user_name, model, policy)
  );
`

interface Counted {
  readonly tenant: string
  readonly atMs: number
  readonly tally: Tally
}

/** Adds to the sums of an hour; the caller holds their lock. */
export async function addTally(on: PostgresWriter, counted: Counted): Promise<void> {
  for (const form of rollupForms) {
    const cells = form.cellsOf(counted.tally)
    if (cells !== undefined) await addTo(on, form, cells, counted)
  }
}

async function addTo(
  on: PostgresWriter,
  form: RollupForm,
  asked: readonly string[],
  { tenant, atMs, tally }: Counted,
): Promise<void> {
  const { relation, columns } = form
  const hourMs = hourOf(atMs)
  const others = form.othersOf(asked)
  const names = columns.join(', ')
  const from = (first: number): string => columns.map((_, at) => `$${first + at}`).join(', ')
  const rows = await on.all(
    `SELECT ${columns.map((name) => `asked.${name}`).join(', ')}, figures,
       (SELECT count(*) FROM ${relation} WHERE tenant = $1 AND hour_ms = $2) AS groups
     FROM (VALUES (${from(3)}), (${from(3 + columns.length)})) AS asked (${names}) LEFT JOIN
       (SELECT ${names}, figures FROM ${relation} WHERE tenant = $1 AND hour_ms = $2) AS found USING (${names})`,
    tenant,
    hourMs,
    ...asked,
    ...others,
  )
  const figuresIn = (cells: readonly string[]): unknown =>
    rows.find((row) => columns.every((name, at) => row[name] === cells[at]))?.['figures']
  const isFull = Number(rows[0]?.['groups']) >= mostGroupsAnHour
  const cells = typeof figuresIn(asked) !== 'string' && isFull ? others : asked
  const before = figuresIn(cells)
  const sum = figuresSum()
  sum.add(tally.figures)
  if (typeof before === 'string') sum.add(JSON.parse(before) as SomeFigures)
  on.send(
    `INSERT INTO ${relation} (tenant, hour_ms, ${names}, figures) VALUES ($1, $2, ${from(3)}, $${3 + columns.length})
     ON CONFLICT (tenant, hour_ms, ${names}) DO UPDATE SET figures = excluded.figures`,
    tenant,
    hourMs,
    ...cells,
    JSON.stringify(sum.figures()),
  )
}

export async function sumRollups(
  on: PostgresReader,
  tenant: string,
  query: StatisticsQuery,
): Promise<readonly StatisticsRow[]> {
  const { sinceMs = Number.MIN_SAFE_INTEGER, untilMs = Number.MAX_SAFE_INTEGER } = query
  const { relation, columns, rollupOf } = formOf(query)
  const rows = await on.all(
    `SELECT hour_ms, ${columns.join(', ')}, figures FROM ${relation} WHERE tenant = $1 AND hour_ms >= $2 AND hour_ms < $3`,
    tenant,
    sinceMs,
    untilMs,
  )
  const rollups = rows.map((row) => ({
    hourMs: Number(row['hour_ms']),
    ...rollupOf(columns.map((name) => String(row[name]))),
    figures: JSON.parse(String(row['figures'])) as SomeFigures,
  }))
  return summedRollups(rollups, query)
}
