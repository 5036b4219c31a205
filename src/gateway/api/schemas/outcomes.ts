import { z } from 'zod'
import { mostNoteChars, outcomeSources } from '../../../stores/index.ts'
import { atMs, name } from './parts.ts'

const source = z.enum(outcomeSources)
const quality = z.number().min(0).max(1)

/** An outcome as receipts have it, where the session is known. */
export const recordedOutcome = z
  .strictObject({
    requestId: z.string().exactOptional().describe('Absent for an outcome of the whole session.'),
    source: source.describe('Who says so; the list is in order, the most trustworthy first.'),
    quality: quality.describe('From 0 (bad) to 1 (good).'),
    weight: z.number().describe('How much it counts in statistics.'),
    atMs,
    note: z.string().exactOptional(),
  })
  .meta({ id: 'RecordedOutcome' })

export const outcome = z.strictObject({ session: z.string(), ...recordedOutcome.shape }).meta({ id: 'Outcome' })

export const givenOutcome = z
  .strictObject({
    session: name,
    requestId: name.optional().describe('Without it, the outcome is that of the whole session.'),
    source: source.default('person'),
    quality: quality.describe('From 0 (bad) to 1 (good).'),
    note: z.string().min(1).max(mostNoteChars).optional(),
    replace: z
      .boolean()
      .default(false)
      .describe('Whether it takes the place of another quality of the same source; a conflict otherwise.'),
  })
  .meta({ id: 'GivenOutcome' })
