import type { DatabaseSync } from 'node:sqlite'
import { isResultOnly } from '../store.ts'
import type { Commit, Scope } from '../store.ts'

interface Waiting {
  readonly commit: Commit
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

export interface GroupCommit {
  add(commit: Commit): Promise<void>
  /** Writes what waits, now. */
  flush(): void
  /** Whether something of that session waits; of any of its lanes where none is named. */
  isWaiting(scope: Scope): boolean
}

interface Writer {
  apply(commit: Commit): void
  /** Called when a transaction was taken back. */
  forget(): void
}

/** After a group of at least this many commits that somebody waits for, the next one waits `crowdMs` for more of them. */
const crowd = 4
const crowdMs = 2
/** How long what nobody waits for may wait. */
const idleMs = 20

/**
 * Commits that arrive in one turn of the event loop share one transaction; when many come, those of a few milliseconds.
 * When it fails, each is tried alone, so that only the guilty one fails.
 */
export function groupCommit(db: DatabaseSync, writer: Writer): GroupCommit {
  let waiting: Waiting[] = []
  let crowded = false
  let idle: NodeJS.Timeout | undefined
  let soon = false

  const transact = (commits: readonly Commit[]): void => {
    db.exec('BEGIN IMMEDIATE')
    try {
      for (const commit of commits) writer.apply(commit)
      db.exec('COMMIT')
    } catch (error) {
      writer.forget()
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }

  const alone = ({ commit, done, failed }: Waiting): void => {
    try {
      transact([commit])
      done()
    } catch (error) {
      failed(error)
    }
  }

  const flush = (): void => {
    const group = waiting
    waiting = []
    soon = false
    crowded = group.filter(({ commit }) => !isResultOnly(commit)).length >= crowd
    clearTimeout(idle)
    idle = undefined
    if (group.length < 2) return group.forEach(alone)
    try {
      transact(group.map(({ commit }) => commit))
    } catch {
      return group.forEach(alone)
    }
    for (const { done } of group) done()
  }

  const schedule = (commit: Commit): void => {
    if (soon) return
    if (isResultOnly(commit)) {
      idle ??= setTimeout(flush, idleMs)
      return
    }
    soon = true
    if (crowded) setTimeout(flush, crowdMs)
    else setImmediate(flush)
  }

  return {
    flush,
    isWaiting: (scope) => waiting.some(({ commit }) => isOf(scope, commit)),
    add: (commit) =>
      new Promise((done, failed) => {
        waiting.push({ commit, done, failed })
        schedule(commit)
      }),
  }
}

function isOf({ tenant, session, lane }: Scope, { scope }: Commit): boolean {
  if (scope.tenant !== tenant || scope.session !== session) return false
  return lane === undefined || (scope.lane ?? '') === lane
}
