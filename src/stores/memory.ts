import { PrehendError } from '../core/index.ts'
import { summarize, takenHandle } from './store.ts'
import type { Commit, Original, Pruned, Receipt, ReceiptQuery, Retention, Scope, SessionState, Store } from './store.ts'

interface Session {
  readonly tenant: string
  readonly name: string
  state: SessionState
  usedMs: number
  readonly originals: Map<string, Original>
}

interface Filed {
  readonly sequence: number
  readonly tenant: string
  readonly sessionKey: string
  receipt: Receipt
}

export interface MemoryStoreOptions {
  /** The oldest receipts make room for new ones. */
  readonly maxReceipts?: number
}

/** Keeps everything in this process: for tests and for gateways that may forget. */
export function memoryStore({ maxReceipts = 1000 }: MemoryStoreOptions = {}): Store {
  const sessions = new Map<string, Session>()
  const filed = new Map<number, Filed>()
  const byRequest = new Map<string, number>()
  const values = new Map<string, string>()
  let sequence = 0

  const find = (scope: Scope): Session | undefined => sessions.get(keyOf(scope))

  const openSession = (scope: Scope, nowMs: number): Session => {
    const { tenant, session } = scope
    const key = keyOf(scope)
    const found = sessions.get(key)
    if (found) return found
    const state = { toolOffered: false, hidden: [] }
    const made: Session = { tenant, name: session, state, usedMs: nowMs, originals: new Map() }
    sessions.set(key, made)
    return made
  }

  const discard = (number: number): void => {
    const entry = filed.get(number)
    if (!entry) return
    filed.delete(number)
    byRequest.delete(pairKey(entry.tenant, entry.receipt.requestId))
  }

  const file = (session: Session, commit: Commit, entry: NonNullable<Commit['receipt']>): void => {
    const { tenant, name } = session
    sequence += 1
    byRequest.set(pairKey(tenant, entry.requestId), sequence)
    const receipt = { ...entry, session: name, createdMs: commit.nowMs }
    filed.set(sequence, { sequence, tenant, sessionKey: keyOf(commit.scope), receipt })
    discard(sequence - maxReceipts)
  }

  const newestFirst = (tenant: string): Filed[] =>
    [...filed.values()].filter((entry) => entry.tenant === tenant).toReversed()

  const requested = (tenant: string, requestId: string): Filed | undefined =>
    filed.get(byRequest.get(pairKey(tenant, requestId)) ?? 0)

  const findReceipt = (tenant: string, id: string): Filed | undefined =>
    requested(tenant, id) ?? newestFirst(tenant).find(({ receipt }) => receipt.packId === id)

  const apply = (commit: Commit): void => {
    const { tenant } = commit.scope
    if (commit.receipt && requested(tenant, commit.receipt.requestId)) {
      throw refused(`a receipt of request ${commit.receipt.requestId} is already there`)
    }
    const originals = commit.originals ?? []
    const held = find(commit.scope)?.originals
    const taken = originals.find(({ handle, text }) => (held?.get(handle)?.text ?? text) !== text)
    if (taken) throw refused(takenHandle(taken.handle))
    const session = openSession(commit.scope, commit.nowMs)
    session.usedMs = commit.nowMs
    session.state = nextState(session.state, commit)
    for (const original of originals) session.originals.set(original.handle, original)
    if (commit.receipt) file(session, commit, commit.receipt)
    const ended = commit.result && requested(tenant, commit.result.requestId)
    if (ended && commit.result) ended.receipt = { ...ended.receipt, result: commit.result.result }
  }

  const findOriginal = (scope: Scope, handle: string): Original | undefined => {
    const own = find(scope)?.originals.get(handle)
    if (own) return own
    for (const session of sessions.values()) {
      const original = session.tenant === scope.tenant ? session.originals.get(handle) : undefined
      if (original) return original
    }
    return undefined
  }

  const dropReceipts = (drop: (entry: Filed) => boolean): number => {
    const dropped = [...filed.values()].filter(drop)
    for (const entry of dropped) discard(entry.sequence)
    return dropped.length
  }

  const prune = (nowMs: number, retention: Retention): Pruned => {
    const idle = [...sessions].filter(([, session]) => session.usedMs < nowMs - retention.sessionIdleMs)
    for (const [key] of idle) sessions.delete(key)
    const gone = new Set(idle.map(([key]) => key))
    const overflow = Math.max(0, filed.size - retention.maxReceipts)
    const surplus = new Set([...filed.keys()].slice(0, overflow))
    const receipts = dropReceipts(
      ({ sequence: number, sessionKey, receipt }) =>
        surplus.has(number) || receipt.createdMs < nowMs - retention.receiptAgeMs || gone.has(sessionKey),
    )
    return { sessions: idle.length, receipts }
  }

  return {
    commit: async (commit) => apply(commit),
    session: async (scope) => find(scope)?.state,
    original: async (scope, handle) => findOriginal(scope, handle),
    receipt: async (tenant, id) => findReceipt(tenant, id)?.receipt,
    receipts: async (tenant, query) =>
      newestFirst(tenant)
        .filter((entry) => matches(entry, query))
        .slice(0, query.limit)
        .map((entry) => summarize(entry.receipt, entry.sequence)),
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

function pairKey(tenant: string, name: string): string {
  return JSON.stringify([tenant, name])
}

function refused(reason: string): PrehendError {
  const remedy = 'Give what is new a name of its own.'
  return new PrehendError('store-failed', `The store could not write: ${reason}. ${remedy}`, { remedy })
}

function matches(entry: Filed, query: ReceiptQuery): boolean {
  if (query.before !== undefined && entry.sequence >= query.before) return false
  return query.session === undefined || entry.receipt.session === query.session
}

function nextState(state: SessionState, commit: Commit): SessionState {
  return {
    ...state,
    ...(commit.ledger && { ledger: commit.ledger }),
    toolOffered: commit.toolOffered ?? state.toolOffered,
    hidden: commit.hidden ? [...state.hidden, ...commit.hidden] : state.hidden,
  }
}
