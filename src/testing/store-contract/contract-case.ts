import { deepStrictEqual } from 'node:assert/strict'
import { isPrehendError } from '../../core/index.ts'
import type { ErrorCode } from '../../core/index.ts'
import type { Store } from '../../stores/index.ts'
import type { ContractCase } from '../contract-case.ts'

/**
 * Opens the database of that name, which is empty when it is opened for the first time. Opened again while it is still
 * open, it is what a second process would have.
 */
export type OpenStore = (database: string) => Store | Promise<Store>

/** What a case works on; the stores that it opens are closed after it. */
export interface Bench {
  readonly store: Store
  /** Another opener of the same database. */
  openAgain(): Promise<Store>
}

export type CaseMaker = (name: string, work: (bench: Bench) => Promise<void>) => ContractCase

let databases = 0

export function caseMaker(driver: string, open: OpenStore): CaseMaker {
  return (name, work) => ({
    name: `${driver}: ${name}`,
    async run() {
      databases += 1
      const database = `contract-${databases}`
      const store = await open(database)
      const stores = [store]
      const openAgain = async (): Promise<Store> => {
        const again = await open(database)
        stores.push(again)
        return again
      }
      await work({ store, openAgain })
      for (const opened of new Set(stores)) await opened.close()
    },
  })
}

export const same: (actual: unknown, expected: unknown) => void = deepStrictEqual

export async function rejectsWith(work: Promise<unknown>, code: ErrorCode): Promise<void> {
  const found = await work.then(
    () => 'no error',
    (error: unknown) => (isPrehendError(error) ? error.code : String(error)),
  )
  same(found, code)
}
