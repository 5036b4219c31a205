import { PrehendError, isPrehendError } from '../../core/index.ts'
import type { Commit, Pruned, Retention, Scope, Store } from '../store.ts'
import { commitQueue } from './commit-queue.ts'
import { knownSessions } from './known-sessions.ts'
import type { KnownSessions } from './known-sessions.ts'
import type { SqliteCore } from './sqlite-core.ts'

export interface StoreClientOptions {
  readonly core: SqliteCore
  /** What is remembered of what was written; to be forgotten where the core begins anew. */
  readonly known?: KnownSessions
  /** Lets go of the core, once nothing waits any more. */
  readonly release: () => Promise<void>
}

/** A store upon a core, wherever that is: works out what is new of a commit, and hands over only that. */
export function storeClient({ core, known = knownSessions(), release }: StoreClientOptions): Store {
  const queue = commitQueue((batch) => core.write(batch), known)

  /** Reads see what was committed before them, written or still waiting. */
  const read = async <Result>(what: string, ask: () => Promise<Result>, scope?: Scope): Promise<Result> => {
    try {
      await queue.settled(scope)
      return await ask()
    } catch (error) {
      return storeFailed(what, error)
    }
  }

  const prune = async (nowMs: number, retention: Retention): Promise<Pruned> => {
    let pruned: Pruned = { sessions: 0, receipts: 0 }
    for (let more = true; more; await nextTurn()) {
      const step = await core.pruneStep(nowMs, retention)
      if (step.sessions > 0) known.forget()
      pruned = { sessions: pruned.sessions + step.sessions, receipts: pruned.receipts + step.receipts }
      more = step.more
    }
    return pruned
  }

  return {
    commit: (commit: Commit) => queue.add(commit).catch((error: unknown) => storeFailed('write', error)),
    session: (scope) => read('read', () => core.session(scope), scope),
    lanes: (tenant, session, beginning) =>
      read('read', () => core.lanes(tenant, session, beginning), { tenant, session }),
    original: (scope, handle) => read('read', () => core.original(scope, handle)),
    originals: (scope) => read('read', () => core.originals(scope), scope),
    sessions: (tenant, query) => read('read', () => core.sessions(tenant, query)),
    receipt: (tenant, id, wanted) => read('read', () => core.receipt(tenant, id, wanted)),
    receipts: (tenant, query) => read('read', () => core.receipts(tenant, query)),
    account: (tenant, query) => read('read', () => core.account(tenant, query), { tenant, session: query.session }),
    statistics: (tenant, query) => read('read', () => core.statistics(tenant, query)),
    tenantAccount: (tenant) => read('read', () => core.tenantAccount(tenant)),
    find: (tenant, text, limit) => read('read', () => core.find(tenant, text, limit)),
    value: (key) => read('read', () => core.value(key)),
    setValue: (key, text) => read('write', () => core.setValue(key, text)),
    claimValue: (key, text) => read('write', () => core.claimValue(key, text)),
    prune: (nowMs, retention) => read('prune', () => prune(nowMs, retention)),
    ping: () => read('write', () => core.ping()),
    close: () => read('close', release),
  }
}

const remedy = 'Check that the store file exists, is writable, and that the disk has room.'

/** Throws what went wrong as the one error that a store fails with; conflicts pass. */
export function storeFailed(what: string, cause: unknown): never {
  if (isPrehendError(cause)) throw cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  throw new PrehendError('store-failed', `The store could not ${what}: ${reason}. ${remedy}`, { remedy }, cause)
}

/** Lets what waits for the process go first. */
function nextTurn(): Promise<void> {
  return new Promise((done) => {
    setImmediate(done)
  })
}
