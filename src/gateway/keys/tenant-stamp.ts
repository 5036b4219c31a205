import { randomText } from '../../host/index.ts'
import type { Write } from '../../stores/index.ts'

/** The value that changes with whatever tenants have in the store, by which a process finds out that something has. */
export const stampName = 'tenants/changed'

/** For the unit that changes something. */
export function newStamp(): Write {
  return { table: 'values', key: stampName, value: randomText(16) }
}
