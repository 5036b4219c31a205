import { z } from 'zod'

const count = z.number().int().min(0)

export const tenantSize = z.strictObject({
  tenant: z.string(),
  sessions: count,
  receipts: count,
})

export const deletedTenant = z.strictObject({
  tenant: z.string(),
  rows: z.record(z.string(), count).describe('Rows that were removed, by table; `sessions` counts lanes.'),
})
