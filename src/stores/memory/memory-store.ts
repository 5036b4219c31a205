import { PrehendError } from '../../core/index.ts'
import { memoryReceipts } from './memory-receipts.ts'
import { memorySessions } from './memory-sessions.ts'
import { scopeKey } from '../scope-key.ts'
import { costOfResult } from '../session-cost.ts'
import { isResultOnly, movedOn } from '../store.ts'
import type { Commit, Pruned, Retention, Store } from '../store.ts'
import { takenHandle } from '../taken-handle.ts'

export interface MemoryStoreOptions {
  /** The oldest receipts make room for new ones. */
  readonly maxReceipts?: number
  /** The oldest receipts lose the bodies of their requests, in characters of all, when newer ones need the room. */
  readonly maxBodyChars?: number
}

/** Keeps everything in this process: for tests and for gateways that may forget. */
export function memoryStore({ maxReceipts = 1000, maxBodyChars = 32_000_000 }: MemoryStoreOptions = {}): Store {
  const sessions = memorySessions()
  const receipts = memoryReceipts({ maxReceipts, maxBodyChars })
  const values = new Map<string, string>()

  const check = ({ scope, expectVersion, receipt, originals = [] }: Commit): void => {
    const known = sessions.find(scope)
    if (expectVersion !== undefined && expectVersion !== (known?.state.version ?? 0)) throw movedOn(scope)
    if (receipt && receipts.has(scope.tenant, receipt.requestId)) {
      throw refused(`a receipt of request ${receipt.requestId} is already there`)
    }
    const taken = originals.find(({ handle, text }) => (known?.originals.get(handle)?.text ?? text) !== text)
    if (taken) throw refused(takenHandle(taken.handle))
  }

  const end = (tenant: string, { requestId, result }: NonNullable<Commit['result']>): void => {
    const sessionKey = receipts.end(tenant, requestId, result)
    const cost = costOfResult(result)
    if (sessionKey !== undefined && cost) sessions.spend(sessionKey, cost)
  }

  const apply = (commit: Commit): void => {
    check(commit)
    const { scope, nowMs, receipt, result } = commit
    if (result) end(scope.tenant, result)
    if (isResultOnly(commit)) return
    sessions.apply(commit)
    if (receipt) receipts.add(scope.tenant, scopeKey(scope), { ...receipt, session: scope.session, createdMs: nowMs })
  }

  const prune = (nowMs: number, retention: Retention): Pruned => {
    const gone = sessions.dropIdle(nowMs - retention.sessionIdleMs)
    const oldestMs = nowMs - retention.receiptAgeMs
    const dropped = receipts.drop(
      receipts.size - retention.maxReceipts,
      ({ sessionKey, receipt }) => receipt.createdMs < oldestMs || gone.has(sessionKey),
    )
    return { sessions: gone.size, receipts: dropped }
  }

  return {
    commit: async (commit) => apply(commit),
    session: async (scope) => sessions.find(scope)?.state,
    lanes: async (tenant, session, beginning) => sessions.lanes(tenant, session, beginning),
    original: async (scope, handle) => sessions.original(scope, handle),
    originals: async (scope) => sessions.originals(scope),
    sessions: async (tenant, query) => sessions.list(tenant, query),
    receipt: async (tenant, id) => receipts.find(tenant, id),
    receipts: async (tenant, query) => receipts.list(tenant, query),
    value: async (key) => values.get(key),
    setValue: async (key, value) => void values.set(key, value),
    claimValue: async (key, value) => {
      const standing = values.get(key) ?? value
      values.set(key, standing)
      return standing
    },
    prune: async (nowMs, retention) => prune(nowMs, retention),
    ping: async () => undefined,
    close: async () => undefined,
  }
}

function refused(reason: string): PrehendError {
  const remedy = 'Give what is new a name of its own.'
  return new PrehendError('store-failed', `The store could not write: ${reason}. ${remedy}`, { remedy })
}
