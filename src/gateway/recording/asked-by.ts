import type { Exchange } from '../exchange/exchange.ts'

/** Who has asked, for a line of the log: names that the operator gave, and never a secret. */
export interface AskedBy {
  readonly tenant: string
  readonly keyId: string
  readonly team?: string
}

export function askedBy({ tenant, principal: { keyId, team } }: Pick<Exchange, 'tenant' | 'principal'>): AskedBy {
  return { tenant, keyId, ...(team !== undefined && { team }) }
}
