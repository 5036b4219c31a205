import type { Table, TypesOf } from '../kernel/table.ts'
import { artifactsTable } from './artifacts/artifacts-table.ts'
import { auditTable } from './audit/audit-table.ts'
import { extensionValuesTable } from './extension-values/extension-values-table.ts'
import { keptRepliesTable } from './kept-replies/kept-replies-table.ts'
import { keysTable } from './keys/keys-table.ts'
import { madeMediaTable } from './made-media/made-media-table.ts'
import { namesTable } from './names/names-table.ts'
import { objectOwnersTable } from './object-owners/object-owners-table.ts'
import { originalsTable } from './originals/originals-table.ts'
import { reasoningOwnersTable } from './reasoning-owners/reasoning-owners-table.ts'
import { outcomesTable } from './outcomes/outcomes-table.ts'
import { providerKeysTable } from './provider-keys/provider-keys-table.ts'
import { receiptsTable } from './receipts/receipts-table.ts'
import { resultsTable } from './results/results-table.ts'
import { sessionsTable } from './sessions/sessions-table.ts'
import { spendingTable } from './spending/spending-table.ts'
import { summariesTable } from './summaries/summaries-table.ts'
import { tenantSettingsTable } from './tenant-settings/tenant-settings-table.ts'
import { toolsTable } from './tools/tools-table.ts'
import { toolUsesTable } from './tool-uses/tool-uses-table.ts'
import { turnsTable } from './turns/turns-table.ts'
import { valuesTable } from './values/values-table.ts'

/** Every table, in the order in which their schemas are brought up to date. */
const tables = [
  sessionsTable,
  originalsTable,
  receiptsTable,
  turnsTable,
  outcomesTable,
  resultsTable,
  namesTable,
  valuesTable,
  summariesTable,
  keptRepliesTable,
  reasoningOwnersTable,
  madeMediaTable,
  objectOwnersTable,
  extensionValuesTable,
  keysTable,
  auditTable,
  spendingTable,
  artifactsTable,
  providerKeysTable,
  tenantSettingsTable,
  toolsTable,
  toolUsesTable,
] as const

/** The same tables for whoever asks for nothing that is particular to one. */
export const allTables: readonly Table[] = tables

type BuiltIn = (typeof tables)[number]

/** The types of every table, by name. */
export type Tables = { readonly [One in BuiltIn as One['name']]: TypesOf<One> }
