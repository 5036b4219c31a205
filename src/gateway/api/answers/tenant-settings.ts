import type { z } from 'zod'
import type { ServingParts } from '../../parts.ts'
import { changeTenantSettings, storedSettings } from '../../tenancy/change-tenant-settings.ts'
import type { SettingsChange, ShownSettings } from '../../tenancy/change-tenant-settings.ts'
import { requireTenantSettings } from '../../tenancy/effective-config.ts'
import type { StoredSettings } from '../../tenancy/tenant-settings-rows.ts'
import { settingsWarnings } from '../../tenancy/unconfigured-tenant.ts'
import type { Answered, Asked } from '../route.ts'
import type { setTenantSettings, settingsQuery } from '../routes/tenant-routes.ts'
import type { shownSettings } from '../schemas/tenant-settings.ts'
import { tenantInPath } from './whose.ts'

type SettingsParts = Pick<ServingParts, 'store' | 'clock' | 'written' | 'tenancy'>
type Shown = Answered<z.output<typeof shownSettings>>

export async function answerSettings(parts: SettingsParts, asked: Asked): Promise<Shown> {
  return shown(parts, await storedSettings(parts.store, tenantInPath(asked)))
}

export function answerChangedSettings(
  parts: SettingsParts,
  asked: Asked<typeof settingsQuery, NonNullable<(typeof setTenantSettings)['body']>>,
): Promise<Shown> {
  return changed(parts, asked, asked.body as StoredSettings)
}

export function answerDroppedSettings(parts: SettingsParts, asked: Asked<typeof settingsQuery>): Promise<Shown> {
  return changed(parts, asked, undefined)
}

async function changed(
  parts: SettingsParts,
  asked: Pick<Asked<typeof settingsQuery>, 'tenant' | 'asker' | 'params' | 'query'>,
  settings: SettingsChange['settings'],
): Promise<Shown> {
  const { store, clock, written, tenancy } = parts
  const tenant = tenantInPath(asked)
  const { keyId: actor, from } = asked.asker
  const host = {
    store,
    clock,
    require: (of: string, own: Parameters<typeof requireTenantSettings>[2]) => requireTenantSettings(written, of, own),
  }
  const { revision } = asked.query
  const after = await changeTenantSettings(host, { tenant, settings, revision }, { actor, from })
  await tenancy.changed()
  const warnings = settings === undefined ? [] : settingsWarnings(written, tenant)
  return { ...shown(parts, after), ...(warnings.length > 0 && { warnings }) }
}

function shown({ tenancy }: SettingsParts, settings: ShownSettings): Shown {
  return { ...settings, inForce: tenancy.revisionOf(settings.tenant) }
}
