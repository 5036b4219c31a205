import { z } from 'zod'
import { itemKinds, roles } from '../../../core/index.ts'
import { epochRecord, outcomeKind, reason, rung } from './manifest.ts'
import { count, tokens, usd } from './parts.ts'

export const comparedFrom = ['session', 'request'] as const

const bill = z
  .strictObject({
    tokens: z.number(),
    cachedTokens: z.number(),
    cost: z.number().describe('In plain input tokens.'),
    usd: usd.nullable(),
  })
  .describe('By the rules of the model, or by plain rules; with the frame of the request.')

const side = z
  .strictObject({
    policy: z.string(),
    isRecorded: z.boolean().describe('It is what the session was packed by.'),
    same: z
      .boolean()
      .nullable()
      .describe('Of what is recorded: whether all of it was made again as it was; else null.'),
    outcome: outcomeKind.nullable().describe('Null where the policy would not let such a pack out.'),
    asItCame: z.boolean().describe('Whether it would have been sent unchanged.'),
    originalTokens: tokens,
    packTokens: tokens,
    epoch: epochRecord.nullable(),
    bill: bill.describe('Of this request.'),
    soFar: bill.describe('Of all requests that were packed again, this one included.'),
  })
  .meta({ id: 'ComparedSide' })

const shown = z.strictObject({
  rung,
  reason,
  tokens,
  handle: z.string().nullable(),
  text: z.string().nullable().describe('The text as shown; null if it is unchanged or left out.'),
})

const item = z
  .strictObject({
    itemId: z.string(),
    name: z.string().nullable().describe('Such as `bash: cat src/csv.js`.'),
    section: z.string(),
    kind: z.enum(itemKinds).nullable(),
    role: z.enum(roles).nullable(),
    toolName: z.string().nullable(),
    originalTokens: tokens,
    original: z.string().nullable().describe('The original text.'),
    isSame: z.boolean().describe('Whether both show it alike.'),
    shown: z.tuple([shown, shown]).describe('By the first side, and by the second.'),
  })
  .meta({ id: 'ComparedItem' })

export const packComparison = z
  .strictObject({
    requestId: z.string(),
    session: z.string(),
    from: z.enum(comparedFrom),
    whyNot: z.string().nullable().describe('Why it cannot be compared; null where it can.'),
    requests: count.describe('So many requests were packed again, this one included.'),
    rules: z
      .string()
      .nullable()
      .describe('The model by whose prices and cache rules both are billed; null for plain rules.'),
    sides: z.array(side).describe('Two: what it is compared with, and the policy that was asked for.'),
    counts: z.strictObject({ items: count, otherwise: count }),
    items: z.array(item).describe('What they show otherwise first, both in the order of the request.'),
    next: z.string().nullable(),
  })
  .meta({ id: 'PackComparison' })
