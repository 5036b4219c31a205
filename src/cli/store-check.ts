import { existsSync, mkdtempSync, rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { examineSqliteStore } from '../stores/index.ts'
import type { ExaminedPassages } from '../stores/remote/index.ts'
import { failed, ok, warning } from './health-check.ts'
import { reasonOf, storeName, storePlace } from './store-place.ts'
import type { StoreOptions } from './store-place.ts'
import type { HealthCheck } from './health-check.ts'
import type { Io } from './io.ts'

const name = 'store'
const elsewhere = 'Name another folder with --data DIR or PREHEND_DATA'

/** What was found of a store. */
export interface FoundStore {
  readonly checks: readonly HealthCheck[]
  /** Keys of tenants for providers, still encrypted. */
  readonly providerKeys: ReturnType<typeof examineSqliteStore>['providerKeys']
}

/** Whether the store is whole and can be written; where there is none, whether one could be made. Makes none. */
export async function findStore(options: StoreOptions, environment: Io['environment']): Promise<FoundStore> {
  let path = 'the store'
  try {
    const place = storePlace(options, environment)
    path = storeName(place)
    if (place.kind === 'server') return await serverFound(place.url)
    return existsSync(path) ? fileFound(path) : { checks: [couldBeMade(path)], providerKeys: [] }
  } catch (error) {
    const remedy = options.store === undefined ? elsewhere : 'Correct --store or PREHEND_STORE'
    return { checks: [failed(name, `${path} cannot be used: ${reasonOf(error)}`, remedy)], providerKeys: [] }
  }
}

async function serverFound(url: string): Promise<FoundStore> {
  const { examinePostgresStore } = await import('../stores/remote/index.ts')
  const { place, serverVersion, schema, isWritable, passages, providerKeys } = await examinePostgresStore(url)
  const server = `PostgreSQL ${serverVersion} at ${place}`
  const check = isWritable
    ? ok(name, `${server} answers; its tables ${schemaStates[schema]}`)
    : failed(name, `${server} cannot be written to`, writeRemedies[schema])
  return { checks: [check, passagesCheck(passages)], providerKeys }
}

/** By what vectors of collections are compared. */
function passagesCheck({ kept, hasPgvector }: ExaminedPassages): HealthCheck {
  const asBytes = 'vectors of collections are kept as bytea and compared in the process'
  if (kept === 'pgvector') return ok('passages', 'vectors of collections are compared by pgvector')
  if (kept === undefined)
    return hasPgvector
      ? ok('passages', 'none are kept yet; pgvector will compare their vectors, if this user may create it')
      : ok('passages', 'none are kept yet; the server has no pgvector, so the process will compare their vectors')
  return hasPgvector
    ? warning('passages', `${asBytes}, though the server has pgvector`, pgvectorRemedy)
    : ok('passages', `${asBytes}; the server has no pgvector`)
}

const pgvectorRemedy =
  'To use it, let this user create the extension vector, drop the tables passages__* and store the collections anew'

const schemaStates = {
  current: 'are up to date',
  older: 'are of an older version, and the next start brings them up to date',
  missing: 'are not there yet and can be made',
} as const

const writeRemedies = {
  current: 'Name the primary server, and a user who owns the tables',
  older: 'Name the primary server, and a user who owns the tables',
  missing: 'Name the primary server, and grant the user CREATE on the database',
} as const

function fileFound(path: string): FoundStore {
  const found = examineSqliteStore(path)
  return { checks: [fileCheck(path, found)], providerKeys: found.providerKeys }
}

function fileCheck(path: string, { damage, openToOthers }: ReturnType<typeof examineSqliteStore>): HealthCheck {
  if (damage.length > 0) {
    return failed(
      name,
      `${path} is damaged: ${damage.join('; ')}`,
      `Move it away, or recover it with sqlite3. ${elsewhere}`,
    )
  }
  if (openToOthers.length > 0) {
    const remedy = 'The next start closes it to them'
    return warning(name, `other users of this machine can read ${openToOthers.join(', ')}`, remedy)
  }
  return ok(name, `${path} is whole and can be written`)
}

function couldBeMade(path: string): HealthCheck {
  let folder = dirname(path)
  while (!existsSync(folder)) folder = dirname(folder)
  rmdirSync(mkdtempSync(join(folder, '.prehend-doctor-')))
  return ok(name, `${path} is not there yet and can be made`)
}
