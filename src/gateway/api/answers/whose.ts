import { PrehendError, hasScope } from '../../../core/index.ts'
import type { Asked } from '../route.ts'
import { notFound } from './not-found.ts'

type Asking = Pick<Asked, 'tenant' | 'asker'>

/** The tenant whose list is asked for; undefined for all of them. Throws `forbidden` where it is another's. */
export function listedTenant({ tenant, asker }: Asking, named: string | undefined): string | undefined {
  if (hasScope(asker, 'operator')) return named
  if (named === undefined || named === tenant) return tenant
  throw othersOnly()
}

/** The tenant whose key is named. Another tenant's key is not found, as if it did not exist. */
export function tenantOfKey({ tenant, asker }: Asking, named: string | undefined): string {
  if (named === undefined || named === tenant || hasScope(asker, 'operator')) return named ?? tenant
  throw notFound('key', 'List keys with GET /v1/keys.')
}

export function othersOnly(): PrehendError<'forbidden'> {
  const remedy = 'Leave out tenant, or use the token of an operator.'
  return new PrehendError('forbidden', `Only an operator may ask for another tenant. ${remedy}`, { remedy })
}

/** The tenant that the path names. Throws `not-found` where it is another's, as if there were none. */
export function tenantInPath({ tenant, asker, params }: Asking & Pick<Asked, 'params'>): string {
  const named = params['tenant'] ?? ''
  if (named === tenant || hasScope(asker, 'operator')) return named
  throw notFound('tenant', 'Name your own tenant, or use the token of an operator.')
}
