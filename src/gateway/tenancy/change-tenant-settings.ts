import { PrehendError, invalidInput, isPrehendError } from '../../core/index.ts'
import { valueHash } from '../../stores/index.ts'
import type { Store } from '../../stores/index.ts'
import type { ChangedBy } from '../keys/change-keys.ts'
import { changedFields, readTenantSettings, settingsMovedOn } from './tenant-settings-rows.ts'
import type { OwnSettings, StoredSettings } from './tenant-settings-rows.ts'
import { tenantName } from '../tenant-names.ts'
import { newStamp } from '../keys/tenant-stamp.ts'

export interface SettingsHost {
  readonly store: Store
  readonly clock: () => number
  /** Throws where the settings do not go with the configuration. Absent where none is known. */
  readonly require?: (tenant: string, settings: OwnSettings) => void
}

/** Settings of a tenant that stand in the store. */
export interface ShownSettings {
  readonly tenant: string
  /** Counts changes, from 1; 0 where there are none. */
  readonly revision: number
  readonly settings: StoredSettings
  readonly writtenMs?: number
}

/** The one key under which the settings of a tenant stand. */
export const settingsKey = 'settings'

/** The stored settings of a tenant; revision 0 without settings where none are stored. */
export async function storedSettings(store: Store, tenant: string): Promise<ShownSettings> {
  const found = await store.read('tenant-settings').get(tenant, settingsKey)
  if (found === undefined) return { tenant, revision: 0, settings: {} }
  return { tenant, revision: found.revision, settings: found.value, writtenMs: found.writtenMs }
}

export interface SettingsChange {
  readonly tenant: string
  /** All of them; undefined removes what is stored. */
  readonly settings: StoredSettings | undefined
  /** The revision that the change was decided upon; whatever stands by default. */
  readonly revision?: number | undefined
}

/** Rejects with `invalid-input`, and with `conflict` where another revision stands. */
export async function changeTenantSettings(
  { store, clock, require }: SettingsHost,
  { tenant, settings, revision }: SettingsChange,
  by: ChangedBy,
): Promise<ShownSettings> {
  requireTenantName(tenant, settings !== undefined)
  const read = settings && readTenantSettings(settings)
  if (read) require?.(tenant, read)
  const before = await storedSettings(store, tenant)
  if (revision !== undefined && revision !== before.revision) throw settingsMovedOn(tenant, before.revision)
  if (settings === undefined && before.revision === 0) throw noSettings(tenant)
  const next = { key: settingsKey, revision: before.revision + 1, ...(settings && { value: settings }) }
  const entry = {
    action: settings === undefined ? 'settings.remove' : 'settings.change',
    target: `settings: ${changedFields(before.settings, settings ?? {})}`,
    ...(before.revision > 0 && { beforeHash: valueHash(before.settings) }),
    ...(settings && { afterHash: valueHash(settings) }),
    ...by,
  }
  const nowMs = clock()
  const writes = [{ table: 'tenant-settings', ...next } as const, { table: 'audit', ...entry } as const, newStamp()]
  await store.commit({ scope: { tenant, session: '' }, nowMs, writes }).catch((error: unknown) => {
    throw isPrehendError(error) && error.code === 'conflict' ? settingsMovedOn(tenant, before.revision + 1) : error
  })
  if (settings === undefined) return { tenant, revision: 0, settings: {} }
  return { tenant, revision: next.revision, settings, writtenMs: nowMs }
}

function noSettings(tenant: string): PrehendError<'not-found'> {
  const remedy = 'What the configuration file says of it is changed there.'
  const message = `Nothing is stored as settings of ${tenant}. ${remedy}`
  return new PrehendError('not-found', message, { what: 'settings', remedy })
}

/** A name that nothing takes from now on may still be one that stored settings have: those can be removed. */
function requireTenantName(tenant: string, isChanged: boolean): void {
  if (tenant === '') throw invalidInput('tenant', 'is empty', 'Name the tenant.')
  const [issue] = isChanged ? (tenantName.safeParse(tenant).error?.issues ?? []) : []
  if (issue) throw invalidInput('tenant', issue.message, 'Give another name.')
}
