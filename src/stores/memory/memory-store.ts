import { PrehendError } from '../../core/index.ts'
import { memoryReceipts } from './memory-receipts.ts'
import { isResultOnly, movedOn, noState, takenHandle } from '../store.ts'
import type { Commit, Original, Pruned, Retention, Scope, SessionState, Store } from '../store.ts'

interface Session {
  readonly scope: Scope
  state: SessionState
  usedMs: number
  readonly originals: Map<string, Original>
}

export interface MemoryStoreOptions {
  /** The oldest receipts make room for new ones. */
  readonly maxReceipts?: number
}

/** Keeps everything in this process: for tests and for gateways that may forget. */
export function memoryStore({ maxReceipts = 1000 }: MemoryStoreOptions = {}): Store {
  const sessions = new Map<string, Session>()
  const receipts = memoryReceipts(maxReceipts)
  const values = new Map<string, string>()

  const find = (scope: Scope): Session | undefined => sessions.get(keyOf(scope))

  const openSession = (scope: Scope, nowMs: number): Session => {
    const found = find(scope)
    if (found) return found
    const made: Session = { scope, state: noState, usedMs: nowMs, originals: new Map() }
    sessions.set(keyOf(scope), made)
    return made
  }

  const check = ({ scope, expectVersion, receipt, originals = [] }: Commit): void => {
    const version = find(scope)?.state.version ?? 0
    if (expectVersion !== undefined && expectVersion !== version) throw movedOn(scope)
    if (receipt && receipts.has(scope.tenant, receipt.requestId)) {
      throw refused(`a receipt of request ${receipt.requestId} is already there`)
    }
    const held = find(scope)?.originals
    const taken = originals.find(({ handle, text }) => (held?.get(handle)?.text ?? text) !== text)
    if (taken) throw refused(takenHandle(taken.handle))
  }

  const apply = (commit: Commit): void => {
    check(commit)
    const { scope, nowMs, receipt, result } = commit
    if (result) receipts.end(scope.tenant, result.requestId, result.result)
    if (isResultOnly(commit)) return
    const session = openSession(scope, nowMs)
    session.usedMs = nowMs
    session.state = nextState(session.state, commit)
    for (const original of commit.originals ?? []) session.originals.set(original.handle, original)
    if (receipt) receipts.add(scope.tenant, keyOf(scope), { ...receipt, session: scope.session, createdMs: nowMs })
  }

  const lanes = (tenant: string, name: string): string[] =>
    [...sessions.values()]
      .filter(({ scope }) => scope.tenant === tenant && scope.session === name)
      .toSorted((a, b) => b.usedMs - a.usedMs)
      .map(({ scope }) => scope.lane ?? '')

  const findOriginal = (scope: Scope, handle: string): Original | undefined => {
    const own = find(scope)?.originals.get(handle)
    if (own) return own
    for (const session of sessions.values()) {
      const original = session.scope.tenant === scope.tenant ? session.originals.get(handle) : undefined
      if (original) return original
    }
    return undefined
  }

  const prune = (nowMs: number, retention: Retention): Pruned => {
    const idle = [...sessions].filter(([, session]) => session.usedMs < nowMs - retention.sessionIdleMs)
    for (const [key] of idle) sessions.delete(key)
    const gone = new Set(idle.map(([key]) => key))
    const oldestMs = nowMs - retention.receiptAgeMs
    const dropped = receipts.drop(
      receipts.size - retention.maxReceipts,
      ({ sessionKey, receipt }) => receipt.createdMs < oldestMs || gone.has(sessionKey),
    )
    return { sessions: idle.length, receipts: dropped }
  }

  return {
    commit: async (commit) => apply(commit),
    session: async (scope) => find(scope)?.state,
    lanes: async (tenant, session) => lanes(tenant, session),
    original: async (scope, handle) => findOriginal(scope, handle),
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

function keyOf({ tenant, session, lane = '' }: Scope): string {
  return JSON.stringify([tenant, session, lane])
}

function refused(reason: string): PrehendError {
  const remedy = 'Give what is new a name of its own.'
  return new PrehendError('store-failed', `The store could not write: ${reason}. ${remedy}`, { remedy })
}

function nextState({ version, ledger: before, ...state }: SessionState, commit: Commit): SessionState {
  const ledger = commit.ledger === undefined ? before : commit.ledger
  return {
    version: version + 1,
    ...(ledger && { ledger }),
    offeredTools: commit.offeredTools ?? state.offeredTools,
    overlay: commit.overlay ?? state.overlay,
  }
}
