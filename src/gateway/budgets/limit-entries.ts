import type { AccountEntry, SpendingSum, SpendingUnit } from '../../stores/index.ts'
import type { LimitName } from '../budget-settings.ts'
import type { BudgetScope } from './budgets-of.ts'
import { keptMs, periodEndMs, periodName } from './periods.ts'
import type { Period } from './periods.ts'

/** What a call takes; whole numbers. */
export type Amounts = Readonly<Record<SpendingUnit, number>>

export const nothing: Amounts = { nanoUsd: 0, tokens: 0, requests: 0 }

type Unit = SpendingUnit | 'streams'

/** An account of the ledger, and the limit that it has. */
export interface LimitEntry extends AccountEntry {
  readonly scope: BudgetScope
  readonly period: Period
  readonly unit: Unit
  /** Absent where the account is only kept up to date. */
  readonly limit?: LimitName
  /** When the period ends, in milliseconds since the epoch. */
  readonly endMs?: number
}

/** Days and months are kept in the store, too. */
const lasting: readonly (readonly [Period, SpendingUnit, LimitName])[] = [
  ['day', 'nanoUsd', 'usdPerDay'],
  ['month', 'nanoUsd', 'usdPerMonth'],
  ['day', 'tokens', 'tokensPerDay'],
  ['month', 'tokens', 'tokensPerMonth'],
  ['day', 'requests', 'requestsPerDay'],
  ['month', 'requests', 'requestsPerMonth'],
]

const brief: readonly (readonly [Period, SpendingUnit, LimitName])[] = [
  ['minute', 'requests', 'requestsPerMinute'],
  ['minute', 'tokens', 'tokensPerMinute'],
]

/** Whether a scope has a limit by day or month: then all that it spends is kept, so that other limits can be set later. */
function isLasting({ limits }: BudgetScope): boolean {
  return lasting.some(([, , limit]) => limits[limit] !== undefined)
}

/** The accounts of a call that begins at a moment. */
export function entriesOf(scopes: readonly BudgetScope[], amounts: Amounts, atMs: number): readonly LimitEntry[] {
  return scopes.flatMap((scope) => [
    ...(isLasting(scope) ? lasting.map((row) => entryOf(scope, row, { amount: amounts[row[1]], atMs })) : []),
    ...brief.flatMap((row) =>
      scope.limits[row[2]] === undefined ? [] : [entryOf(scope, row, { amount: amounts[row[1]], atMs })],
    ),
  ])
}

/** The accounts in which a stream takes a place while it is under way. */
export function streamEntries(scopes: readonly BudgetScope[], amount: number, atMs: number): readonly LimitEntry[] {
  return scopes.flatMap((scope) =>
    scope.limits.concurrentStreams === undefined
      ? []
      : [entryOf(scope, ['now', 'streams', 'concurrentStreams'], { amount, atMs })],
  )
}

function entryOf(
  scope: BudgetScope,
  [period, unit, limit]: readonly [Period, Unit, LimitName],
  { amount, atMs }: { readonly amount: number; readonly atMs: number },
): LimitEntry {
  const most = scope.limits[limit]
  const endMs = periodEndMs(period, atMs)
  return {
    account: accountName(labelOf(scope), { period, unit, atMs }),
    amount,
    ttlMs: keptMs(period, atMs),
    scope,
    period,
    unit,
    ...(most !== undefined && { limit, most: unit === 'nanoUsd' ? nanoUsd(most) : most }),
    ...(endMs !== undefined && { endMs }),
  }
}

interface AccountOf {
  readonly period: Period
  readonly unit: Unit
  readonly atMs: number
}

function accountName(label: string, { period, unit, atMs }: AccountOf): string {
  return `${encodeURIComponent(label)}|${periodName(period, atMs)}|${unit}`
}

/** A scope by one name: `tenant`, `team:NAME` or `key:NAME`. */
export function labelOf({ kind, name }: Pick<BudgetScope, 'kind' | 'name'>): string {
  return kind === 'tenant' ? kind : `${kind}:${name}`
}

/** What the store keeps of a call that began at a moment. */
export function sumsOf(scopes: readonly BudgetScope[], amounts: Amounts, atMs: number): readonly SpendingSum[] {
  const day = periodName('day', atMs)
  return scopes
    .filter(isLasting)
    .flatMap((scope) =>
      (['nanoUsd', 'tokens', 'requests'] as const).flatMap((unit) =>
        amounts[unit] === 0 ? [] : [{ scope: labelOf(scope), day, unit, amount: amounts[unit] }],
      ),
    )
}

/** The accounts that sums of the store belong to: each counts in its day and in its month. */
export function accountsOfSums(sums: readonly SpendingSum[]): readonly AccountEntry[] {
  const accounts = new Map<string, AccountEntry>()
  for (const { scope, day, unit, amount } of sums) {
    const atMs = Date.parse(`${day}T00:00:00Z`)
    for (const period of ['day', 'month'] as const) {
      const account = accountName(scope, { period, unit, atMs })
      const before = accounts.get(account)?.amount ?? 0
      accounts.set(account, { account, amount: before + amount, ttlMs: keptMs(period, atMs) })
    }
  }
  return [...accounts.values()]
}

/** What of a reservation the store keeps: its days, of which the months are the sums. */
export function sumsOfAccounts(entries: readonly Pick<AccountEntry, 'account' | 'amount'>[]): readonly SpendingSum[] {
  return entries.flatMap(({ account, amount }) => {
    const [label = '', day = '', unit = ''] = account.split('|')
    const isDay = day.length === 'YYYY-MM-DD'.length
    return isDay && amount > 0 ? [{ scope: decodeURIComponent(label), day, unit: unit as SpendingUnit, amount }] : []
  })
}

/** Dollars in billionths; rounded up, so that nothing is counted as nothing. */
export function nanoUsd(usd: number): number {
  return Math.ceil(Math.round(usd * 1e12) / 1e3)
}

export function usdOf(nano: number): number {
  return nano / 1e9
}
