import { z } from 'zod'
import { atMs } from './parts.ts'

export const auditEntry = z
  .strictObject({
    seq: z.number().int().min(1).describe('Counts the entries of the tenant, from 1.'),
    atMs,
    tenant: z.string().describe('Whose chain; empty for changes of the installation itself.'),
    actor: z.string().describe('Who made the change: the id of a key, or the name of a token.'),
    action: z.string(),
    target: z.string(),
    from: z.string().describe('The address that asked; `local` for a command on the store.'),
    beforeHash: z.string().exactOptional().describe('SHA-256 of what stood before, as canonical JSON.'),
    afterHash: z.string().exactOptional().describe('SHA-256 of what stands since.'),
    previousHash: z.string().describe('`hash` of the entry before; 64 zeros for the first one.'),
    hash: z.string().describe('SHA-256 of the other members as canonical JSON.'),
  })
  .meta({ id: 'AuditEntry' })
