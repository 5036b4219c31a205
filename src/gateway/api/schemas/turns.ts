import { z } from 'zod'
import { itemKinds, roles } from '../../../core/index.ts'
import { atMs } from './parts.ts'

const turnItem = z.strictObject({
  itemId: z.string(),
  kind: z.enum(itemKinds),
  role: z.enum(roles).exactOptional(),
  section: z.string(),
  toolName: z.string().exactOptional(),
  text: z.string(),
})

export const turnLog = z
  .strictObject({
    sessionId: z.string(),
    lanes: z
      .array(z.string())
      .describe('Conversations of the session that have turns, the one that was used last first.'),
    turns: z.array(
      z.strictObject({
        turn: z.number().int().min(1).describe('Counts the requests of the conversation.'),
        lane: z.string(),
        requestId: z.string(),
        createdMs: atMs,
        items: z.array(turnItem),
      }),
    ),
    more: z.boolean().describe('Whether there are more: ask with a higher `from`, or a higher `limit`.'),
  })
  .meta({ id: 'TurnLog' })
