import { z } from 'zod'
import { itemKinds, roles } from '../../../core/index.ts'
import { reason, rung, sectionBudget, stage } from './manifest.ts'
import { count, tokens } from './parts.ts'

const shownItem = z
  .strictObject({
    itemId: z.string(),
    name: z.string().nullable().describe('Such as `bash: cat src/csv.js`; null where no content is recorded.'),
    section: z.string(),
    kind: z.enum(itemKinds).nullable(),
    role: z.enum(roles).nullable(),
    toolName: z.string().nullable(),
    toolCallId: z.string().nullable(),
    rung,
    reason,
    score: z.number().nullable(),
    tokens,
    originalTokens: tokens,
    handle: z.string().nullable(),
    text: z.string().nullable().describe('As the model saw it; null where it was left out.'),
    original: z.string().nullable().describe('The original text if it was shown in another form; else null.'),
  })
  .meta({ id: 'ShownItem' })

export const shownChoices = ['shortened', 'calls'] as const

export const packView = z
  .strictObject({
    requestId: z.string(),
    packId: z.string(),
    whyNot: z.string().nullable().describe('Why there are no texts; null where there are.'),
    same: z
      .boolean()
      .nullable()
      .describe('Whether compiling it again gave the same pack; null where that was not possible.'),
    items: z.array(shownItem).describe('In the order in which they were sent; what was left out behind them.'),
    next: z.string().nullable().describe('`cursor` of the items behind these; null where there are none.'),
    counts: z
      .strictObject({ items: count, shortened: count, calls: count })
      .describe('Of all items: how many there are, and how many each choice of `show` has.'),
    messages: z
      .array(z.strictObject({ role: z.enum(roles), text: z.string() }))
      .describe('Of a payload: its messages.'),
    sections: z.array(sectionBudget),
    stages: z.array(stage),
    shadowPrice: z.number().nullable(),
    breakpoints: z.array(z.string()).describe('Items behind which the cache was told to keep what came before.'),
  })
  .meta({ id: 'PackView' })

const changeKinds = ['same', 'changed', 'added', 'removed', 'moved'] as const

export const packDifference = z
  .strictObject({
    from: z
      .string()
      .nullable()
      .describe('The request that it is compared with: the one before in its conversation; null where there is none.'),
    to: z.string(),
    whyNot: z.string().nullable(),
    prefix: z
      .strictObject({
        sameItems: count,
        sameTokens: tokens.describe('Tokens of what both begin with: what a cache may still hold.'),
        ofTokens: tokens.describe('Tokens of the request before.'),
        brokenBy: z
          .string()
          .nullable()
          .describe('The first item that is not as it was; null where the request before stands whole.'),
      })
      .nullable(),
    counts: z.record(z.enum(changeKinds), count),
    items: z.array(
      z.strictObject({
        itemId: z.string(),
        name: z.string().nullable().describe('Such as `bash: cat src/csv.js`.'),
        change: z.enum(changeKinds),
        section: z.string(),
        rungBefore: rung.nullable(),
        rungAfter: rung.nullable(),
        tokensBefore: tokens.nullable(),
        tokensAfter: tokens.nullable(),
        before: z.string().nullable().describe('Texts of what has changed.'),
        after: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'PackDifference' })

export const packBytes = z
  .strictObject({
    whyNot: z.string().nullable(),
    received: z.string().nullable().describe("The client's body."),
    sent: z.string().nullable().describe('The body that went upstream, made again.'),
    sentHash: z.string().nullable(),
    proven: z.boolean().nullable().describe('Whether its hash is the one that was noted when it was sent.'),
    sameTo: count.nullable().describe('Characters that both begin with.'),
  })
  .meta({ id: 'PackBytes' })

export const verification = z
  .strictObject({
    verified: z.boolean(),
    notProvable: z
      .string()
      .nullable()
      .describe(
        'Why it can be neither proven nor disproven, where another version has made it; `differences` then has what can be compared without a compile.',
      ),
    packId: z.string(),
    packHash: z.string(),
    rounds: z.array(z.string()).describe('Hashes of the hidden rounds that were proven, too.'),
    differences: z.array(z.strictObject({ field: z.string(), expected: z.string(), actual: z.string() })),
  })
  .meta({ id: 'Verification' })

export const copyKinds = ['curl', 'document', 'test'] as const
