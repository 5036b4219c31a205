import { PrehendError, shape } from '../../core/index.ts'
import { memoryAccounts } from './memory-accounts.ts'
import type { MemoryAccounts } from './memory-accounts.ts'
import { memoryReceipts } from './memory-receipts.ts'
import type { MemoryReceipts } from './memory-receipts.ts'
import { memoryRollups } from './memory-rollups.ts'
import { memorySessions } from './memory-sessions.ts'
import type { MemorySessions } from './memory-sessions.ts'
import { accountOf } from '../account-of.ts'
import { costOfResult } from '../session-cost.ts'
import { figuresOfResult } from '../statistics/rollups.ts'
import { isResultOnly, movedOn, withWanted } from '../store.ts'
import type { Commit, Pruned, Retention, Store } from '../store.ts'
import { takenHandle } from '../taken-handle.ts'

export interface MemoryStoreOptions {
  /** The oldest receipts make room for new ones. */
  readonly maxReceipts?: number
  /** The oldest receipts lose the bodies of their requests, in characters of all, when newer ones need the room. */
  readonly maxBodyChars?: number
}

const optionsShape = shape.object<MemoryStoreOptions>({
  maxReceipts: shape.optional(shape.amount),
  maxBodyChars: shape.optional(shape.amount),
})

function receiptsFor(options: MemoryStoreOptions): MemoryReceipts {
  shape.check(optionsShape, options, 'options')
  const { maxReceipts = 1000, maxBodyChars = 32_000_000 } = options
  return memoryReceipts({ maxReceipts, maxBodyChars })
}

/** Keeps everything in this process: for tests and for gateways that may forget. */
export function memoryStore(options: MemoryStoreOptions = {}): Store {
  const sessions = memorySessions()
  const receipts = receiptsFor(options)
  const rollups = memoryRollups()
  const accounts = memoryAccounts()

  const check = commitCheck({ sessions, receipts, accounts })

  const end = (tenant: string, { requestId, result }: NonNullable<Commit['result']>): boolean => {
    const ended = receipts.end(tenant, requestId, result)
    if (!ended) return false
    const { receipt, sessionKey } = ended
    const cost = costOfResult(result)
    if (cost) sessions.spend(sessionKey, cost)
    const model = result.answeredBy ?? receipt.model ?? ''
    rollups.add(tenant, receipt.createdMs, {
      model,
      policy: receipt.manifest.policyId,
      figures: figuresOfResult(result),
    })
    return true
  }

  const apply = (commit: Commit): void => {
    check(commit)
    const { scope, nowMs, receipt, result, tally, tenantAccount } = commit
    if (!isResultOnly(commit)) sessions.apply(commit)
    if (receipt) {
      const { request, ...about } = receipt
      const recorded = request && { request: { ...request, body: request.body.toString() } }
      receipts.add(scope, { ...about, ...recorded, session: scope.session, createdMs: nowMs })
    }
    const counts = result === undefined || end(scope.tenant, result)
    if (tenantAccount && counts) accounts.add(scope.tenant, tenantAccount)
    if (tally) rollups.add(scope.tenant, nowMs, tally)
  }

  return {
    commit: async (commit) => apply(commit),
    session: async (scope) => sessions.get(scope)?.state,
    lanes: async (tenant, session, beginning) => sessions.lanes(tenant, session, beginning),
    original: async (scope, handle) => sessions.original(scope, handle),
    originals: async (scope) => sessions.originals(scope),
    sessions: async (tenant, query) => sessions.list(tenant, query),
    receipt: async (tenant, id, wanted) => withWanted(receipts.find(tenant, id), wanted),
    receipts: async (tenant, query) => receipts.list(tenant, query),
    account: async (tenant, { after = -1, ...query }) => accountOf(receipts.list(tenant, { ...query, after })),
    tenantAccount: async (tenant) => accounts.rows(tenant),
    statistics: async (tenant, query) => rollups.sum(tenant, query),
    find: async (tenant, text, limit) => ({
      ...sessions.find(tenant, text, limit),
      receipts: receipts.named(tenant, text, limit),
    }),
    ...memoryValues(),
    prune: async (nowMs, retention) => pruned({ sessions, receipts }, nowMs, retention),
    ping: async () => undefined,
    close: async () => undefined,
  }
}

interface Kept {
  readonly sessions: MemorySessions
  readonly receipts: MemoryReceipts
}

/** Throws where a commit does not fit what stands. */
function commitCheck({ sessions, receipts, accounts }: Kept & { readonly accounts: MemoryAccounts }) {
  return ({ scope, expectVersion, receipt, originals = [], tenantAccount }: Commit): void => {
    const known = sessions.get(scope)
    if (expectVersion !== undefined && expectVersion !== (known?.state.version ?? 0)) throw movedOn(scope)
    if (tenantAccount && !accounts.allows(scope.tenant, tenantAccount)) throw movedOn(scope)
    if (receipt && receipts.has(scope.tenant, receipt.requestId)) {
      throw refused(`a receipt of request ${receipt.requestId} is already there`)
    }
    const taken = originals.find(({ handle, text }) => (known?.originals.get(handle)?.text ?? text) !== text)
    if (taken) throw refused(takenHandle(taken.handle))
  }
}

function pruned({ sessions, receipts }: Kept, nowMs: number, retention: Retention): Pruned {
  const kept = (tenant: string): Pick<Retention, 'sessionIdleMs' | 'receiptAgeMs'> =>
    retention.tenants && Object.hasOwn(retention.tenants, tenant) ? (retention.tenants[tenant] ?? retention) : retention
  const gone = sessions.dropIdle((tenant) => nowMs - kept(tenant).sessionIdleMs)
  const dropped = receipts.drop(
    receipts.size - retention.maxReceipts,
    ({ tenant, sessionKey, receipt }) => receipt.createdMs < nowMs - kept(tenant).receiptAgeMs || gone.has(sessionKey),
  )
  return { sessions: gone.size, receipts: dropped }
}

function memoryValues(): Pick<Store, 'value' | 'setValue' | 'claimValue'> {
  const values = new Map<string, string>()
  return {
    value: async (key) => values.get(key),
    setValue: async (key, value) => void values.set(key, value),
    claimValue: async (key, value) => {
      const standing = values.get(key) ?? value
      values.set(key, standing)
      return standing
    },
  }
}

function refused(reason: string): PrehendError {
  const remedy = 'Give what is new a name of its own.'
  return new PrehendError('store-failed', `The store could not write: ${reason}. ${remedy}`, { remedy })
}
