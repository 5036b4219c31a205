import type { JsonValue } from '../../../core/index.ts'
import { keyedTable } from '../keyed-table.ts'

/** What extensions keep, by the name of the extension and a key of its own. */
export const extensionValuesTable = keyedTable<JsonValue>()({ name: 'extension-values', stands: 'newest' })
