import { z } from 'zod'
import { artifactClasses } from '../../../stores/index.ts'
import { atMs, count } from './parts.ts'

export const artifact = z
  .strictObject({
    uri: z.string().describe('`artifact://tasks/{task}/step-{n}/{name}`.'),
    version: z.number().int().min(1).describe('Counts the versions of the path, from 1.'),
    sha256: z.string().describe('Of the bytes, in lower-case hexadecimal digits.'),
    sizeBytes: count,
    mediaType: z.string(),
    createdMs: atMs,
    class: z.enum(artifactClasses).describe('Which retention window it has.'),
    hold: z.boolean().describe('Legal hold: it is not removed, and does not expire.'),
    session: z.string().exactOptional().describe('The session that it came from.'),
    requestId: z.string().exactOptional().describe('The request that it came from.'),
  })
  .meta({ id: 'Artifact' })

export const hold = z
  .strictObject({
    on: z.boolean().describe('Whether the artifact is on hold from now on.'),
    version: z.number().int().min(1).optional().describe('Only this version. Default: all versions of the path.'),
  })
  .describe('A legal hold.')
