import type { DatabaseSync } from 'node:sqlite'
import { PrehendError, isPrehendError } from '../../core/index.ts'
import { builtinModule } from '../../host/index.ts'
import type { Pruned, Retention, Scope, Store } from '../store.ts'
import { fragmentTable } from './fragments.ts'
import { groupCommit } from './group-commit.ts'
import { policyTable } from './policy-table.ts'
import { migrate, refuseForeign } from './schema.ts'
import { sqlitePruner } from './prune.ts'
import { settings } from './settings.ts'
import { sqliteReader } from './reads.ts'
import { sqliteWriter } from './writes.ts'
import { textTable } from './texts.ts'

export interface SqliteStoreOptions {
  /** A file, whose folder is made when missing. */
  readonly path: string
  /**
   * What an acknowledged commit survives: the death of the process (`process`, the default) or also of the machine
   * (`power`, which waits for the disk at every commit). Neither can leave a commit half-written.
   */
  readonly durability?: 'process' | 'power'
}

/** Keeps everything in one SQLite file. Several processes may share it. Throws `store-failed` when it cannot be opened. */
export function sqliteStore(options: SqliteStoreOptions): Store {
  const host = hostModules()
  const db = guarded('open', () => openDatabase(options, host))
  const texts = textTable(db)
  const tables = { fragments: fragmentTable(db), texts, policies: policyTable(db) }
  const writer = sqliteWriter(db, tables)
  const reader = sqliteReader(db, tables)
  const pruneStep = sqlitePruner(db, texts)
  const group = groupCommit(db, writer)
  const values = settings(db)

  /** Reads see what was committed before them, written or still waiting. */
  const read = async <Result>(what: string, work: () => Result, scope?: Scope): Promise<Result> =>
    guarded(what, () => {
      if (scope === undefined || group.isWaiting(scope)) group.flush()
      return work()
    })

  const inTransaction = <Result>(work: () => Result): Result => {
    group.flush()
    db.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      db.exec('COMMIT')
      return result
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }

  const prune = async (nowMs: number, retention: Retention): Promise<Pruned> => {
    let pruned: Pruned = { sessions: 0, receipts: 0 }
    for (let more = true; more; await nextTurn()) {
      const step = guarded('prune', () => inTransaction(() => pruneStep(nowMs, retention)))
      if (step.sessions > 0) writer.forget()
      pruned = { sessions: pruned.sessions + step.sessions, receipts: pruned.receipts + step.receipts }
      more = step.more
    }
    guarded('prune', () => db.exec('PRAGMA incremental_vacuum(1000)'))
    return pruned
  }

  return {
    commit: (commit) => group.add(commit).catch((error: unknown) => fail('write', error)),
    session: (scope) => read('read', () => reader.session(scope), scope),
    lanes: (tenant, session, beginning) =>
      read('read', () => reader.lanes(tenant, session, beginning), { tenant, session }),
    original: (scope, handle) => read('read', () => reader.original(scope, handle)),
    receipt: (tenant, id) => read('read', () => reader.receipt(tenant, id)),
    receipts: (tenant, query) => read('read', () => reader.receipts(tenant, query)),
    value: (key) => read('read', () => values.get(key)),
    setValue: (key, text) => read('write', () => values.set(key, text)),
    claimValue: (key, text) => read('write', () => values.claim(key, text)),
    prune,
    ping: () => read('write', () => inTransaction(() => undefined)),
    close: () =>
      read('close', () => {
        if (db.isOpen) db.close()
      }),
  }
}

function openDatabase({ path, durability = 'process' }: SqliteStoreOptions, { sqlite, fs, paths }: Host): DatabaseSync {
  fs.mkdirSync(paths.dirname(path), { recursive: true })
  const db = new sqlite.DatabaseSync(path, { timeout: 5000 })
  try {
    refuseForeign(db)
    db.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 4000')
    // In WAL mode NORMAL writes every commit to the system at once, and to the disk at checkpoints.
    db.exec(`PRAGMA synchronous = ${durability === 'power' ? 'FULL' : 'NORMAL'}`)
    migrate(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

type Host = ReturnType<typeof hostModules>

function hostModules() {
  const [sqlite, fs, paths] = [builtinModule('node:sqlite'), builtinModule('node:fs'), builtinModule('node:path')]
  if (sqlite !== undefined && fs !== undefined && paths !== undefined) return { sqlite, fs, paths }
  const remedy = 'Run on Node 22.13 or later, or use memoryStore().'
  throw new PrehendError('store-failed', `The store could not open: there is no node:sqlite here. ${remedy}`, {
    remedy,
  })
}

/** Lets what waits for the process go first. */
function nextTurn(): Promise<void> {
  return new Promise((done) => {
    setImmediate(done)
  })
}

function guarded<Result>(what: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    return fail(what, error)
  }
}

function fail(what: string, cause: unknown): never {
  if (isPrehendError(cause) && cause.code === 'conflict') throw cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  const remedy = 'Check that the store file exists, is writable, and that the disk has room.'
  throw new PrehendError('store-failed', `The store could not ${what}: ${reason}. ${remedy}`, { remedy }, cause)
}
