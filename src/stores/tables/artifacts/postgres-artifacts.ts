import type { PostgresReader, PostgresTable, PostgresValue, Row, WritePlace } from '../../kernel/table.ts'
import { afterPrefix, artifactColumns, artifactIn } from './artifact-rows.ts'
import { artifactClasses } from './artifact.ts'
import type { ArtifactTypes } from './artifact.ts'

/** Rows removed in one transaction. */
const rowsAtOnce = 500

const noRow = 'NOT EXISTS (SELECT 1 FROM artifacts AS one WHERE one.tenant = blob.tenant AND one.sha256 = blob.hash)'

export const postgresArtifacts: PostgresTable<ArtifactTypes> = {
  migrations: [
    `CREATE TABLE artifacts (tenant text COLLATE "C" NOT NULL, path text COLLATE "C" NOT NULL, version integer NOT NULL,
      sha256 text COLLATE "C" NOT NULL, size_bytes bigint NOT NULL, media_type text NOT NULL, created_ms double precision NOT NULL,
      class text NOT NULL, hold integer NOT NULL, session text, request_id text, PRIMARY KEY (tenant, path, version));
     CREATE INDEX artifacts_by_hash ON artifacts (tenant, sha256, created_ms);
     CREATE INDEX artifacts_by_age ON artifacts (class, created_ms);
     CREATE TABLE artifact_blobs (tenant text COLLATE "C" NOT NULL, hash text COLLATE "C" NOT NULL, announced_ms double precision NOT NULL,
      claimed integer NOT NULL, PRIMARY KEY (tenant, hash));
     CREATE INDEX artifact_blobs_by_age ON artifact_blobs (announced_ms);`,
  ],
  // The newest version decides which one may follow, and whether bytes are claimed what may name them.
  locks: ([kind, name, , sha256], { scope: { tenant } }) => {
    const blob = (hash: unknown): string => `artifact-blobs ${tenant.length} ${tenant} ${String(hash)}`
    if (kind === 'artifact') return [`artifacts ${tenant.length} ${tenant} ${name}`, blob(sha256)]
    return kind === 'blob' || kind === 'sweep' || kind === 'swept' ? [blob(name)] : []
  },
  allows: fits,
  apply(on, [kind, name, ...rest], { scope: { tenant }, nowMs }) {
    const [version] = rest
    const which = 'WHERE tenant = $1 AND path = $2 AND ($3::integer IS NULL OR version = $3)'
    if (kind === 'blob') {
      const change = 'ON CONFLICT (tenant, hash) DO UPDATE SET announced_ms = excluded.announced_ms'
      on.send(`INSERT INTO artifact_blobs VALUES ($1, $2, $3, 0) ${change}`, tenant, name, nowMs)
    } else if (kind === 'sweep')
      on.send('UPDATE artifact_blobs SET claimed = 1 WHERE tenant = $1 AND hash = $2', tenant, name)
    else if (kind === 'swept')
      on.send('DELETE FROM artifact_blobs WHERE tenant = $1 AND hash = $2 AND claimed = 1', tenant, name)
    else if (kind === 'drop') on.send(`DELETE FROM artifacts ${which} AND hold = 0`, tenant, name, version)
    else if (kind === 'hold') on.send(`UPDATE artifacts SET hold = $4 ${which}`, tenant, name, version, rest[1])
    else {
      const [, sha256, sizeBytes, mediaType, of, session, requestId] = rest
      const values: readonly PostgresValue[] = [tenant, name, version, sha256, sizeBytes, mediaType, nowMs, of]
      const sql = `INSERT INTO artifacts (${artifactColumns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9, $10)`
      on.send(sql, ...values, session, requestId)
    }
  },
  reads,
  async prune(on, nowMs, { artifactAgesMs: ages = {} }) {
    let rows = 0
    for (const kind of artifactClasses) {
      const age = ages[kind]
      if (age === undefined) continue
      rows += await on.run(
        `DELETE FROM artifacts WHERE (tenant, path, version) IN
         (SELECT tenant, path, version FROM artifacts WHERE class = $1 AND created_ms < $2 AND hold = 0 LIMIT $3)`,
        kind,
        nowMs - age,
        rowsAtOnce - rows,
      )
    }
    return { rows, more: rows === rowsAtOnce }
  },
}

async function fits(
  on: PostgresReader,
  [kind, name, number, sha256]: Row,
  { scope: { tenant } }: WritePlace,
): Promise<boolean> {
  if (kind === 'sweep') {
    const sql = `SELECT 1 FROM artifact_blobs AS blob WHERE tenant = $1 AND hash = $2 AND announced_ms < $3 AND ${noRow}`
    return (await on.all(sql, tenant, name, number)).length === 1
  }
  if (kind !== 'blob' && kind !== 'artifact') return true
  const ofBlob = 'SELECT claimed FROM artifact_blobs WHERE tenant = $1 AND hash = $2'
  const [blob] = await on.all(ofBlob, tenant, kind === 'blob' ? name : sha256)
  if (kind === 'blob') return blob === undefined || Number(blob['claimed']) === 0
  const ofPath = 'SELECT coalesce(max(version), 0) AS version FROM artifacts WHERE tenant = $1 AND path = $2'
  const [newest] = await on.all(ofPath, tenant, name)
  return blob !== undefined && Number(blob['claimed']) === 0 && Number(newest?.['version']) + 1 === Number(number)
}

function reads(on: PostgresReader): ReturnType<PostgresTable<ArtifactTypes>['reads']> {
  const select = `SELECT ${artifactColumns} FROM artifacts AS row WHERE tenant = $1`
  return {
    async get(tenant, path, version) {
      const sql = `${select} AND path = $2 AND ($3::integer IS NULL OR version = $3) ORDER BY version DESC LIMIT 1`
      const [row] = await on.all(sql, tenant, path, version)
      return row && artifactIn(row)
    },
    async byHash(tenant, sha256) {
      const sql = `${select} AND sha256 = $2 ORDER BY created_ms DESC, path, version DESC LIMIT 1`
      const [row] = await on.all(sql, tenant, sha256)
      return row && artifactIn(row)
    },
    async list({ tenant, prefix = '', versions = false, limit, after = { path: '', version: 0 } }) {
      const isNewest = 'version = (SELECT max(version) FROM artifacts WHERE tenant = row.tenant AND path = row.path)'
      const place = `(path > $4 OR (path = $4 AND version < $5))${versions ? '' : ` AND ${isNewest}`}`
      const rows = await on.all(
        `${select} AND path >= $2 AND path < $3 AND ${place} ORDER BY path, version DESC LIMIT $6`,
        tenant,
        prefix,
        afterPrefix(prefix),
        after.path,
        versions ? after.version : 0,
        limit,
      )
      return rows.map(artifactIn)
    },
    async unnamed(beforeMs, limit) {
      const sql = `SELECT tenant, hash FROM artifact_blobs AS blob WHERE announced_ms < $1 AND ${noRow} ORDER BY announced_ms LIMIT $2`
      const rows = await on.all(sql, beforeMs, limit)
      return rows.map((row) => ({ tenant: String(row['tenant']), hash: String(row['hash']) }))
    },
  }
}
