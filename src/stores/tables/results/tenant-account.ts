import { keptModel, otherModels } from './statistics/rollups.ts'

/** What the sessions of a tenant came to with one model. Costs are in input-token prices, as a ledger counts them. */
export interface TenantAccountRow {
  /** As the client has named it; `other` holds those beyond `mostAccountModels`. */
  readonly model: string
  /** Conversations that went beyond their first request, and the requests of these. The newest count most: `mostSessionLengths`. */
  readonly sessions: number
  readonly requests: number
  /** What sending everything would have cost. */
  readonly passThrough: number
  /** What conversations saved that are in credit. */
  readonly saved: number
  /** What conversations owe that are in debt, those included that ended so. */
  readonly lent: number
  /** What the rounds cost in which tools of ours were answered. */
  readonly fetched: number
}

/** What a commit adds to the account of its tenant. */
export interface TenantAccountChange extends TenantAccountRow {
  /**
   * The tenant's credit that the decision was made by. Where it is less by now, and would fall below nothing, the commit fails with
   * `conflict`.
   */
  readonly knownCredit?: number
}

/** Beyond so many conversations both numbers are halved, so that newer ones count more. */
export const mostSessionLengths = 200
/** Models that are told apart for a tenant. */
export const mostAccountModels = 50

export function noAccount(model: string): TenantAccountRow {
  return { model, sessions: 0, requests: 0, passThrough: 0, saved: 0, lent: 0, fetched: 0 }
}

/** The name that a model is counted under; `known` says whether the tenant has a row of it, `rows` how many there are. */
export function accountModel(
  model: string,
  { known, rows }: { readonly known: boolean; readonly rows: number },
): string {
  return known || rows < mostAccountModels ? keptModel(model) : otherModels
}

/** The row that a model is counted in; undefined where nothing is counted of it. */
export function accountRow(rows: readonly TenantAccountRow[], model: string): TenantAccountRow | undefined {
  const named = (name: string): TenantAccountRow | undefined => rows.find((row) => row.model === name)
  return named(keptModel(model)) ?? (rows.length < mostAccountModels ? undefined : named(otherModels))
}

/** A row with a change; the name is that of the row. */
export function addedAccount(row: TenantAccountRow, change: TenantAccountRow): TenantAccountRow {
  const [sessions, requests] = [row.sessions + change.sessions, row.requests + change.requests]
  const isFull = sessions > mostSessionLengths
  return {
    model: row.model,
    sessions: isFull ? Math.ceil(sessions / 2) : sessions,
    requests: isFull ? Math.ceil(requests / 2) : requests,
    passThrough: whole(row.passThrough + change.passThrough),
    saved: whole(row.saved + change.saved),
    lent: whole(row.lent + change.lent),
    fetched: whole(row.fetched + change.fetched),
  }
}

/** What a tenant has saved and neither lent nor spent on fetches; less than nothing where fetches cost more. */
export function creditOf(rows: Iterable<TenantAccountRow>): number {
  let credit = 0
  for (const { saved, lent, fetched } of rows) credit += saved - lent - fetched
  return whole(credit)
}

/** Whether a change may be written upon an account with this credit. */
export function mayChange(credit: number, change: TenantAccountChange): boolean {
  const { knownCredit } = change
  return knownCredit === undefined || credit + creditOf([change]) >= -dust || credit >= knownCredit - dust
}

/** Less than the thousandth of a token is a matter of rounding. */
const dust = 1e-3

/** To a millionth of a token, so that sums are the same in whatever order. */
function whole(cost: number): number {
  return Math.round(cost * 1e6) / 1e6
}
