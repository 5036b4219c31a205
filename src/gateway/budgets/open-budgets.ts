import { randomUUID } from 'node:crypto'
import type { Principal } from '../../core/index.ts'
import type { Ledgers, Store } from '../../stores/index.ts'
import type { Logger } from '../telemetry/logger.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { BudgetScope, BudgetsOf } from './budgets-of.ts'
import { ledgerDesk, usualTimes } from './ledger-desk.ts'
import { entriesOf, nothing, streamEntries } from './limit-entries.ts'
import { requestOutlay } from './request-outlay.ts'
import type { OutlayFigures, RequestOutlay, StandingLimit } from './request-outlay.ts'

/** The budgets of a gateway, as one of its threads has them. */
export interface Budgets {
  /** What a request may spend; undefined where nothing of it is limited, which asks no server anything. */
  outlay(asks: OutlayAsked): RequestOutlay | undefined
  /** How the limits of some scopes of a tenant stand. */
  standing(tenant: string, scopes: readonly BudgetScope[]): Promise<readonly StandingLimit[]>
  close(): Promise<void>
}

export interface OutlayAsked {
  readonly principal: Pick<Principal, 'tenant' | 'team' | 'keyId' | 'spending'>
  /** Whether a client has asked for it. */
  readonly isRequest: boolean
  readonly told?: (figures: OutlayFigures) => void
}

export interface BudgetParts {
  readonly budgetsOf: BudgetsOf
  readonly ledgers: Ledgers
  /** Whether the ledgers live and die with this process: then nobody else can hold anything in one that is new. */
  readonly areOfProcess: boolean
  readonly store: Pick<Store, 'commit' | 'read'>
  readonly clock: () => number
  readonly wait?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined
  readonly metrics: Pick<Metrics, 'budgets' | 'budgetRefusals' | 'budgetRepairs'>
  readonly logger: Logger
}

export function openBudgets(parts: BudgetParts): Budgets {
  const { budgetsOf, ledgers, store, clock, wait, metrics, logger } = parts
  const owner = randomUUID()
  let ids = 0
  const desk = ledgerDesk({
    ledgers,
    store,
    owner,
    clock,
    wait,
    times: parts.areOfProcess ? { ...usualTimes, graceMs: 0 } : usualTimes,
    told(what, count) {
      metrics.budgetRepairs.inc({ what }, count)
      logger.warn('budget', { result: what, reservations: count })
    },
  })
  return {
    outlay({ principal, isRequest, told = () => undefined }) {
      const scopes = budgetsOf(principal)
      if (scopes.length === 0) return undefined
      return requestOutlay({
        desk,
        tenant: principal.tenant,
        scopes,
        clock,
        newId: () => `${owner}.${(ids += 1)}`,
        isRequest,
        told,
        counted(result, entry) {
          metrics.budgets.inc({ result })
          if (entry) metrics.budgetRefusals.inc({ scope: entry.scope.kind, limit: entry.limit ?? 'none' })
        },
      })
    },
    async standing(tenant, scopes) {
      const entries = [...entriesOf(scopes, nothing, clock()), ...streamEntries(scopes, 0, clock())]
      if (entries.length === 0) return []
      const { accounts } = await desk.reserve(tenant, { entries })
      return accounts.flatMap((account, at) => {
        const entry = entries[at]
        return entry?.most === undefined ? [] : [{ ...account, entry }]
      })
    },
    close: () => desk.close(),
  }
}
