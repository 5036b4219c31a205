import type { JsonValue } from '../../../core/index.ts'
import { revisionedTable } from '../revisioned-table.ts'

/** What tenants have otherwise than the configuration says, under the key `settings`. */
export const tenantSettingsTable = revisionedTable<{ readonly [name: string]: JsonValue }>()('tenant-settings')
