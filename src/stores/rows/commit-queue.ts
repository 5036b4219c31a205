import { PassingMap } from '../../host/index.ts'
import { scopeKey } from '../kernel/scope-key.ts'
import type { Scope } from '../kernel/scope.ts'
import { movedOn } from '../kernel/store.ts'
import type { Unit } from '../store.ts'
import type { WriteOutcome } from './unit-rows.ts'
import { changesSession, encodeUnit } from './encode-unit.ts'
import type { EncodedUnit } from './encode-unit.ts'
import { foundSession } from './known-sessions.ts'
import type { KnownSession, KnownSessions } from './known-sessions.ts'
import type { StoreCore } from './store-core.ts'
import type { TableSet } from './table-set.ts'

export interface CommitQueue {
  add(unit: Unit): Promise<void>
  /**
   * Waits until what was added before has been written or has failed: what is of that session, of any of its lanes where none
   * is named, and all of it without a session. Nothing where there is nothing to wait for.
   */
  settled(scope?: Scope): Promise<unknown> | undefined
}

export interface CommitQueueParts extends Pick<StoreCore, 'write'> {
  readonly known: KnownSessions
  readonly tables: TableSet
}

interface Waiting {
  readonly number: number
  readonly unit: Unit
  readonly key: string
  /** Where it turned out that the session is another than was known. */
  found?: KnownSession
  tries: number
  readonly promise: Promise<void>
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

/**
 * After a group of at least this many commits that somebody waits for, the next one waits for more of them: until that group is
 * written, and `crowdMs` at most.
 */
const crowd = 4
const crowdMs = 6
/** How long what nobody waits for may wait. */
const idleMs = 20
/** Times that a commit is made again because another process was faster. */
const mostTries = 16

/**
 * Commits that arrive in one turn of the event loop are handed over together; when many come, those of a few milliseconds.
 * Of a session one is under way at a time: the next is made upon what came of it.
 */
export function commitQueue({ write, known, tables }: CommitQueueParts): CommitQueue {
  const unsettled = new PassingMap<number, Waiting>()
  let added = 0
  /** Sessions that a commit is under way of. */
  const underWay = new Set<string>()
  let waiting: Waiting[] = []

  const flush = (): void => {
    next.cancel()
    const { group, others } = nextGroup(waiting, { underWay, tables })
    waiting = others
    if (group.length > 0) void send(group)
  }

  const send = async (group: readonly Waiting[]): Promise<void> => {
    const changing = group.filter(({ unit }) => changesSession(unit, tables))
    next.crowded = changing.length >= crowd
    for (const { key } of changing) underWay.add(key)
    try {
      const encoded = group.map((entry) => encodedOf(entry, { known, tables }))
      const outcomes = await write(encoded.map(({ rows }) => rows))
      for (const [index, entry] of group.entries()) settle(entry, encoded[index], outcomes[index])
    } catch (error) {
      for (const entry of group) end(entry, error)
    }
    for (const { key } of changing) underWay.delete(key)
    if (waiting.some(({ key }) => changing.some((one) => one.key === key))) flush()
    else next.hurry()
  }

  const settle = (entry: Waiting, encoded?: EncodedUnit, outcome?: WriteOutcome): void => {
    const { scope } = entry.unit
    if (outcome?.kind === 'done') {
      if (outcome.base && encoded) known.put(scope, { base: outcome.base, ...encoded.known })
      return end(entry)
    }
    if (outcome?.kind === 'failed') return end(entry, new Error(outcome.reason))
    entry.tries += 1
    if (outcome?.kind !== 'stale' || entry.tries === mostTries) return end(entry, movedOn(scope))
    entry.found = foundSession(outcome.facts)
    waiting = [entry, ...waiting]
  }

  const end = ({ number, done, failed }: Waiting, error?: unknown): void => {
    unsettled.delete(number)
    return error === undefined ? done() : failed(error)
  }

  const next = soon(flush)

  return {
    add(unit) {
      added += 1
      const entry = waitingFor(unit, added)
      waiting.push(entry)
      unsettled.set(added, entry)
      next.schedule(unit)
      return entry.promise
    },
    settled(scope) {
      const before = [...unsettled.values()].filter(({ unit }) => scope === undefined || isOf(scope, unit))
      if (before.length === 0) return undefined
      flush()
      return Promise.allSettled(before.map(({ promise }) => promise))
    },
  }
}

function encodedOf({ unit, found }: Waiting, { known, tables }: Omit<CommitQueueParts, 'write'>): EncodedUnit {
  return encodeUnit(unit, { tables, known: found ?? known.get(unit.scope) })
}

function waitingFor(unit: Unit, number: number): Waiting {
  const { promise, resolve: done, reject: failed } = Promise.withResolvers<void>()
  return { number, unit, key: scopeKey(unit.scope), tries: 0, promise, done, failed }
}

/** Decides when the commits that wait are handed over. */
function soon(flush: () => void) {
  let isDue = false
  let idle: NodeJS.Timeout | undefined
  let crowding: NodeJS.Timeout | undefined
  const stop = (): void => {
    clearTimeout(crowding)
    crowding = undefined
  }
  return {
    /** Whether the last group was a crowd. */
    crowded: false,
    schedule(unit: Unit): void {
      if (isDue) return
      if (unit.urgency === 'idle') {
        idle ??= setTimeout(flush, idleMs)
        return
      }
      isDue = true
      if (this.crowded) crowding = setTimeout(flush, crowdMs)
      else setImmediate(flush)
    },
    /** What waits for a crowd waits no longer than what has come in this turn. */
    hurry(): void {
      if (crowding === undefined) return
      stop()
      setImmediate(flush)
    },
    cancel(): void {
      isDue = false
      stop()
      clearTimeout(idle)
      idle = undefined
    },
  }
}

/** Those whose session no other commit is under way of, in their order. */
function nextGroup(
  waiting: readonly Waiting[],
  { underWay, tables }: { readonly underWay: ReadonlySet<string> } & Pick<CommitQueueParts, 'tables'>,
): { readonly group: Waiting[]; readonly others: Waiting[] } {
  const taken = new Set(underWay)
  const group: Waiting[] = []
  const others: Waiting[] = []
  for (const entry of waiting) {
    if (taken.has(entry.key)) others.push(entry)
    else group.push(entry)
    if (changesSession(entry.unit, tables)) taken.add(entry.key)
  }
  return { group, others }
}

function isOf({ tenant, session, lane }: Scope, { scope }: Unit): boolean {
  if (scope.tenant !== tenant || scope.session !== session) return false
  return lane === undefined || (scope.lane ?? '') === lane
}
