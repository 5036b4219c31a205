import type { Asker } from '../../stores/index.ts'
import type { Exchange } from '../exchange/exchange.ts'

/** Who has asked, for a line of the log: names that the operator gave, and never a secret. */
export interface AskedBy {
  readonly tenant: string
  readonly keyId: string
  readonly team?: string
  readonly user?: string
}

export function askedBy({ tenant, principal: { keyId, team, user } }: Pick<Exchange, 'tenant' | 'principal'>): AskedBy {
  return { tenant, keyId, ...(team !== undefined && { team }), ...(user !== undefined && { user }) }
}

/** Whom a request is counted for, beside its tenant; nobody where no token is asked for. */
export function askerOf({ principal: { keyId, team, user } }: Pick<Exchange, 'principal'>): { readonly asker?: Asker } {
  if (keyId === 'anonymous') return {}
  return { asker: { key: keyId, ...(team !== undefined && { team }), ...(user !== undefined && { user }) } }
}
