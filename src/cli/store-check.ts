import { existsSync, mkdtempSync, rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { examineSqliteStore } from '../stores/index.ts'
import { failed, ok, warning } from './health-check.ts'
import { reasonOf, storeName, storePlace } from './store-place.ts'
import type { StoreOptions } from './store-place.ts'
import type { HealthCheck } from './health-check.ts'
import type { Io } from './io.ts'

const name = 'store'
const elsewhere = 'Name another folder with --data DIR or PREHEND_DATA'

/** Whether the store is whole and can be written; where there is none, whether one could be made. Makes none. */
export async function storeCheck(options: StoreOptions, environment: Io['environment']): Promise<HealthCheck> {
  let path = 'the store'
  try {
    const place = storePlace(options, environment)
    path = storeName(place)
    if (place.kind === 'server') return await serverCheck(place.url)
    return existsSync(path) ? examined(path) : couldBeMade(path)
  } catch (error) {
    const remedy = options.store === undefined ? elsewhere : 'Correct --store or PREHEND_STORE'
    return failed(name, `${path} cannot be used: ${reasonOf(error)}`, remedy)
  }
}

async function serverCheck(url: string): Promise<HealthCheck> {
  const { examinePostgresStore } = await import('../stores/remote/index.ts')
  const { place, serverVersion, schema, isWritable } = await examinePostgresStore(url)
  const server = `PostgreSQL ${serverVersion} at ${place}`
  if (!isWritable) return failed(name, `${server} cannot be written to`, writeRemedies[schema])
  return ok(name, `${server} answers; its tables ${schemaStates[schema]}`)
}

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

function examined(path: string): HealthCheck {
  const { damage, openToOthers } = examineSqliteStore(path)
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
