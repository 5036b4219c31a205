import type { z } from 'zod'
import { deleteTenant } from '../../keys/delete-tenant.ts'
import { tellGone } from '../../keys/gone-tenants.ts'
import type { ServingParts } from '../../parts.ts'
import type { Answered, Asked } from '../route.ts'
import type { listTenants } from '../routes/tenant-routes.ts'
import type { deletedTenant } from '../schemas/tenants.ts'

type Listed = Answered<z.output<NonNullable<(typeof listTenants)['answer']>>>

export async function answerTenants({ store }: Pick<ServingParts, 'store'>): Promise<Listed> {
  return { object: 'list', data: [...(await store.read('names').tenants())] }
}

type DeletionParts = Pick<ServingParts, 'store' | 'openedBlobs' | 'extensions' | 'clock' | 'hot' | 'logger' | 'tenancy'>

export async function answerTenantDeletion(
  { store, openedBlobs, extensions, clock, hot, logger, tenancy }: DeletionParts,
  { asker: { keyId: actor, from }, params }: Pick<Asked, 'asker' | 'params'>,
): Promise<Answered<z.output<typeof deletedTenant>>> {
  const tenant = params['tenant'] ?? ''
  const forget = (of: string): Promise<void> => tellGone(hot, of).catch(() => logger.warn('news-unsent'))
  const names = extensions.all.map(({ name }) => name)
  const host = { store, blobs: openedBlobs.blobs, ledgers: hot, extensions: names, clock, forget }
  const rows = await deleteTenant(host, tenant, { actor, from })
  await tenancy.changed()
  return { tenant, rows: { ...rows } }
}
