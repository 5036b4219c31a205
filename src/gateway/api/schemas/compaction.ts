import { z } from 'zod'
import { count, tokens } from './parts.ts'

export const briefing = z
  .strictObject({
    objective: z.string(),
    context: z.array(z.string()).describe('Facts and decisions.'),
    state: z.array(z.string()).describe('Pending actions; may be empty.'),
    constraints: z.array(z.string()).describe('Rules that hold, word for word.'),
    nextSteps: z.array(z.string()),
  })
  .meta({ id: 'Briefing' })

export const compactionResult = z
  .strictObject({
    sessionId: z.string().describe('Of a handoff, the new one.'),
    status: z
      .enum(['pending', 'nothing', 'handed-over'])
      .describe(
        'pending: the next request of the conversation is compacted. nothing: nothing of it can go. handed-over: a new session begins with the briefing.',
      ),
    tokensBefore: tokens.describe('What the last request took.'),
    tokensAfter: tokens.describe('What it would take compacted, or what the briefing takes.'),
    tokensSaved: z.number(),
    compactionCount: count.describe('Compactions of the session, those of its provider included.'),
    parentId: z.string().exactOptional(),
    briefing: briefing.exactOptional(),
  })
  .meta({ id: 'CompactionResult' })
