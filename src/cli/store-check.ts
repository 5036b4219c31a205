import { existsSync, mkdtempSync, rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { examineSqliteStore } from '../stores/index.ts'
import { failed, ok, warning } from './health-check.ts'
import { reasonOf, storeFile } from './store-place.ts'
import type { HealthCheck } from './health-check.ts'
import type { Io } from './io.ts'

const name = 'store'
const elsewhere = 'Name another folder with --data DIR or PREHEND_DATA'

/** Whether the file of the store is whole and can be written; where there is none, whether one could be made. Makes none. */
export function storeCheck(data: string | undefined, environment: Io['environment']): HealthCheck {
  let path = 'the store'
  try {
    path = storeFile(data, environment)
    return existsSync(path) ? examined(path) : couldBeMade(path)
  } catch (error) {
    return failed(name, `${path} cannot be used: ${reasonOf(error)}`, elsewhere)
  }
}

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
