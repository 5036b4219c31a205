import type { z } from 'zod'
import { hasScope } from '../../../core/index.ts'
import {
  addedAccount,
  creditOf,
  figuresSum,
  latencyAt,
  noAccount,
  savingsIfOn,
  savingsOf,
} from '../../../stores/index.ts'
import type { Figures, StatisticsQuery, Store, TenantAccountRow } from '../../../stores/index.ts'
import type { GatewayConfig } from '../../config.ts'
import type { Answered, Asked } from '../route.ts'
import type { figures, statistics, statisticsQuery } from '../schemas/statistics.ts'

/** Said beside every figure of what was saved. */
const savingRules =
  'clientUsd is what the client’s own requests would have cost, with its own cache marks or none; passThroughUsd is the same with our cache marks. Both hold everything ' +
  'and no hidden rounds, and are estimated by the model’s own prices and cache rules from what the provider reported. usd is what all rounds cost: hidden ones, our own tool and ' +
  'refreshes of caches are in it. Saved by cache marks: clientUsd less passThroughUsd. Saved by packing: passThroughUsd less usd. ifOnUsd estimates by a simulated cache what mode on ' +
  'would have cost of observedUsd, which no share of savings is of. By cache marks is an estimate of unshortened requests, also where packing left nothing to read from the cache. ' +
  'Requests whose usage or prices are not known are in none of them.'

/** Who has asked, and of whom else an operator may be told. */
export interface Askers {
  readonly store: Store
  readonly config: Pick<GatewayConfig, 'operators' | 'tokens' | 'tenants'>
}

/** What a tenant's requests have come to: in all, and told apart as asked; to an operator that asks by tenant, those of all. */
export async function answerStatistics(
  { store, config }: Askers,
  { tenant, asker, query }: Pick<Asked<typeof statisticsQuery>, 'tenant' | 'asker' | 'query'>,
): Promise<Answered<z.output<typeof statistics>>> {
  const { since, until, by = [], model, policy } = query
  const isByTenant = by.includes('tenant')
  const asked = {
    ...(since !== undefined && { sinceMs: since }),
    ...(until !== undefined && { untilMs: until }),
    by: by.filter((each) => each !== 'tenant' && each !== 'time'),
    ...(model !== undefined && { model }),
    ...(policy !== undefined && { policy }),
  }
  const tenants = isByTenant && hasScope(asker, 'operator') ? await tenantsOf({ store, config }, tenant) : [tenant]
  const rows = await Promise.all(
    tenants.map(async (name) => {
      const own = by.includes('time')
        ? await overTime(store, name, asked)
        : await store.read('results').statistics(name, asked)
      return own.map((row) => ({ ...row, ...(isByTenant && { tenant: name }) }))
    }),
  )
  const totals = figuresSum()
  for (const row of rows.flat()) totals.add(row.figures)
  return {
    object: 'statistics',
    tenant,
    rules: savingRules,
    totals: shown(totals.figures()),
    account: accountOf(await store.read('results').tenantAccount(tenant)),
    data: rows.flat().map((row) => ({ ...row, figures: shown(row.figures) })),
  }
}

/** By day; what is of a single day by its hours. */
async function overTime(store: Store, tenant: string, { by = [], ...asked }: StatisticsQuery) {
  const { statistics } = store.read('results')
  const byDay = await statistics(tenant, { ...asked, by: [...by, 'day'] })
  if (new Set(byDay.map(({ startMs }) => startMs)).size > 1) return byDay
  return statistics(tenant, { ...asked, by: [...by, 'hour'] })
}

function accountOf(rows: readonly TenantAccountRow[]): Answered<z.output<typeof statistics>>['account'] {
  const { passThrough, saved, lent, fetched } = rows.reduce(addedAccount, noAccount(''))
  const credit = creditOf(rows)
  return {
    passThrough: Math.round(passThrough),
    saved: Math.round(saved),
    lent: Math.round(lent),
    fetched: Math.round(fetched),
    credit: Math.round(credit),
    share: passThrough > 0 ? 1 - credit / passThrough : null,
    models: rows.map(({ model, sessions, requests }) => ({ model, sessions, requests })),
  }
}

/** All that are configured or have keys, and the one that asks, by name. */
export async function tenantsOf({ store, config }: Askers, asking: string): Promise<readonly string[]> {
  const { operators, tokens, tenants } = config
  const configured = [...operators, ...tokens.map(({ tenant }) => tenant), ...Object.keys(tenants)]
  return [...new Set([asking, ...configured, ...(await store.read('keys').tenants())])].toSorted()
}

function shown({ overhead, ...sums }: Figures): Answered<z.output<typeof figures>> {
  const { priced, reported, cacheReadTokens, inputTokens } = sums
  const saved = savingsOf(sums)
  const would = savingsIfOn(sums)
  const at = (share: number): number | null => latencyAt(overhead, share) ?? null
  return {
    ...sums,
    savedUsd: saved.savedUsd,
    savedByMarksUsd: saved.byMarksUsd,
    savedByPackingUsd: saved.byPackingUsd,
    savedShare: priced > 0 ? (saved.share ?? null) : null,
    wouldSaveUsd: would?.savedUsd ?? 0,
    wouldSaveByMarksUsd: would?.byMarksUsd ?? 0,
    wouldSaveByPackingUsd: would?.byPackingUsd ?? 0,
    wouldSaveShare: would?.share ?? null,
    cachedShare: reported > 0 && inputTokens > 0 ? cacheReadTokens / inputTokens : null,
    overheadMs: { p50: at(0.5), p95: at(0.95), p99: at(0.99) },
  }
}

/** Sums of dollars without the dust of adding. */
export function rounded(usd: number): number {
  return Math.round(usd * 1e12) / 1e12
}
