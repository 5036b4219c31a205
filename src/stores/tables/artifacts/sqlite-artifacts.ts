import type { SqliteKernel } from '../../kernel/sqlite-kernel.ts'
import type { SqliteRows } from '../../kernel/table.ts'
import { afterPrefix, artifactColumns, artifactIn } from './artifact-rows.ts'
import { artifactClasses } from './artifact.ts'
import type { ArtifactTypes } from './artifact.ts'

/** Rows removed in one transaction. */
const rowsAtOnce = 500

export function sqliteArtifacts({ db }: SqliteKernel): SqliteRows<ArtifactTypes> {
  return { allows: fitting(db), apply: writing(db), reads: reading(db), prune: pruning(db) }
}

type Database = SqliteKernel['db']

const noRow = 'NOT EXISTS (SELECT 1 FROM artifacts AS one WHERE one.tenant = blob.tenant AND one.sha256 = blob.hash)'

function fitting(db: Database): NonNullable<SqliteRows<ArtifactTypes>['allows']> {
  const newest = db.prepare('SELECT coalesce(max(version), 0) AS version FROM artifacts WHERE tenant = ? AND path = ?')
  const claimed = db.prepare('SELECT claimed FROM artifact_blobs WHERE tenant = ? AND hash = ?')
  const sweepable = db.prepare(
    `SELECT 1 FROM artifact_blobs AS blob WHERE tenant = ? AND hash = ? AND announced_ms < ? AND ${noRow}`,
  )
  return ([kind, name, number, sha256], { scope: { tenant } }) => {
    if (kind === 'blob') return claimed.get(tenant, String(name))?.['claimed'] !== 1
    if (kind === 'sweep') return sweepable.get(tenant, String(name), Number(number)) !== undefined
    if (kind !== 'artifact') return true
    const follows = Number(newest.get(tenant, String(name))?.['version']) + 1 === Number(number)
    return follows && claimed.get(tenant, String(sha256))?.['claimed'] === 0
  }
}

function writing(db: Database): SqliteRows<ArtifactTypes>['apply'] {
  const add = db.prepare(`INSERT INTO artifacts (${artifactColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)`)
  const announce = db.prepare(
    `INSERT INTO artifact_blobs (tenant, hash, announced_ms, claimed) VALUES (?, ?, ?, 0)
     ON CONFLICT DO UPDATE SET announced_ms = excluded.announced_ms`,
  )
  const claim = db.prepare('UPDATE artifact_blobs SET claimed = 1 WHERE tenant = ? AND hash = ?')
  const forget = db.prepare('DELETE FROM artifact_blobs WHERE tenant = ? AND hash = ? AND claimed = 1')
  const which = 'WHERE tenant = ? AND path = ? AND (? IS NULL OR version = ?)'
  const drop = db.prepare(`DELETE FROM artifacts ${which} AND hold = 0`)
  const hold = db.prepare(`UPDATE artifacts SET hold = ? ${which}`)
  return ([kind, name, ...rest], { scope: { tenant }, nowMs }) => {
    const own = String(name)
    const version = rest[0] ?? null
    if (kind === 'blob') announce.run(tenant, own, nowMs)
    else if (kind === 'sweep') claim.run(tenant, own)
    else if (kind === 'swept') forget.run(tenant, own)
    else if (kind === 'drop') drop.run(tenant, own, version, version)
    else if (kind === 'hold') hold.run(Number(rest[1]), tenant, own, version, version)
    else {
      const [, sha256, sizeBytes, mediaType, of, session = null, requestId = null] = rest
      const bytes = [String(sha256), Number(sizeBytes), String(mediaType)] as const
      add.run(tenant, own, Number(version), ...bytes, nowMs, String(of), session, requestId)
    }
  }
}

function reading(db: Database): SqliteRows<ArtifactTypes>['reads'] {
  const select = `SELECT ${artifactColumns} FROM artifacts AS row WHERE tenant = ?`
  const newest = db.prepare(`${select} AND path = ? ORDER BY version DESC LIMIT 1`)
  const one = db.prepare(`${select} AND path = ? AND version = ?`)
  const byHash = db.prepare(`${select} AND sha256 = ? ORDER BY created_ms DESC, path, version DESC LIMIT 1`)
  const within = 'AND path >= ? AND path < ?'
  const inOrder = 'ORDER BY path, version DESC LIMIT ?'
  const isNewest = 'version = (SELECT max(version) FROM artifacts WHERE tenant = row.tenant AND path = row.path)'
  const latest = db.prepare(`${select} ${within} AND path > ? AND ${isNewest} ${inOrder}`)
  const all = db.prepare(`${select} ${within} AND (path > ? OR (path = ? AND version < ?)) ${inOrder}`)
  const unnamed = db.prepare(
    `SELECT tenant, hash FROM artifact_blobs AS blob WHERE announced_ms < ? AND ${noRow} ORDER BY announced_ms LIMIT ?`,
  )
  return {
    get(tenant, path, version) {
      const row = version === undefined ? newest.get(tenant, path) : one.get(tenant, path, version)
      return row && artifactIn(row)
    },
    byHash(tenant, sha256) {
      const row = byHash.get(tenant, sha256)
      return row && artifactIn(row)
    },
    list({ tenant, prefix = '', versions = false, limit, after = { path: '', version: 0 } }) {
      const place = [tenant, prefix, afterPrefix(prefix), after.path] as const
      const rows = versions ? all.all(...place, after.path, after.version, limit) : latest.all(...place, limit)
      return rows.map(artifactIn)
    },
    unnamed: (beforeMs, limit) =>
      unnamed.all(beforeMs, limit).map((row) => ({ tenant: String(row['tenant']), hash: String(row['hash']) })),
  }
}

function pruning(db: Database): NonNullable<SqliteRows<ArtifactTypes>['prune']> {
  const old = db.prepare(
    `DELETE FROM artifacts WHERE (tenant, path, version) IN
     (SELECT tenant, path, version FROM artifacts WHERE class = ? AND created_ms < ? AND hold = 0 LIMIT ?)`,
  )
  return (nowMs, { artifactAgesMs: ages = {} }) => {
    let rows = 0
    for (const kind of artifactClasses) {
      const age = ages[kind]
      if (age !== undefined) rows += Number(old.run(kind, nowMs - age, rowsAtOnce - rows).changes)
    }
    return { rows, more: rows === rowsAtOnce }
  }
}
