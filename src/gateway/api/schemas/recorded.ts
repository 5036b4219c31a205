import { z } from 'zod'
import { itemShape } from '../../../core/index.ts'
import type { CompileInput, HiddenTurn, Item } from '../../../core/index.ts'
import { compileDocumentShape } from '../../../sessions/index.ts'

/** A schema that is stated elsewhere, for the published document. */
type Stated = Readonly<Record<string, unknown>>

const { schema: _schema, ...members } = compileDocumentShape.schema['properties'] as Readonly<Record<string, Stated>>

export const compileInput = z
  .custom<CompileInput>()
  .describe('What was compiled: a `prehend.compile/1` document but for its name, with its policy written out.')
  .meta({
    id: 'CompileInput',
    $comment: '`compile.schema.json`',
    type: 'object',
    properties: {
      ...members,
      items: { type: 'array', items: itemShape.schema },
      policy: { type: 'object', description: 'Whole, as `docs/compile.schema.json` describes it.' },
    },
    required: ['items', 'budget', 'policy', 'layout'],
    additionalProperties: false,
  })

const said = z.strictObject({ all: z.string(), recent: z.string().exactOptional() }).exactOptional()
const steadyText = z.strictObject({
  tool: z.string().exactOptional(),
  form: z.string(),
  values: z.array(z.string()),
  text: z.string().exactOptional(),
})
const item = z.custom<Item>().meta({ type: 'object', description: 'As in `input`.' })

const turn = z
  .custom<HiddenTurn>()
  .meta({ type: 'object', description: 'What one reply held that the client never saw.' })

const overlayPart = z.union([
  z.strictObject({ kind: z.literal('hidden-turn'), turn, saidBefore: said }),
  z.strictObject({
    kind: z.literal('insertion'),
    raw: z.string().describe('JSON of the message as it went upstream.'),
    after: z.array(z.string()),
    before: z.array(z.string()),
    item: item.exactOptional(),
    text: z.string(),
    saidBefore: said,
  }),
  z.strictObject({ kind: z.literal('steady'), texts: z.array(steadyText), saidBefore: said }),
  z.strictObject({
    kind: z.literal('tools'),
    listed: z.array(z.string()),
    about: z.string(),
    isDeferred: z.literal(true).exactOptional(),
    isWhole: z.literal(true).exactOptional(),
    step: z.string().exactOptional(),
    saidBefore: said,
  }),
])

export const recordedRequest = z
  .strictObject({
    path: z.string().exactOptional(),
    body: z.string().describe("The client's own, to the byte."),
    overlay: z.array(overlayPart).describe('What was put back into it.'),
    collected: z.array(item).exactOptional().describe('Items that the client did not send.'),
    pinned: z.array(z.string()).exactOptional().describe('Ids of its items that a person has pinned.'),
    breakpoints: z.array(
      z.strictObject({
        itemId: z.string(),
        ttlMs: z.number(),
        tokens: z.number().exactOptional(),
        by: z.literal('anthropic').exactOptional(),
      }),
    ),
    tools: z
      .array(z.strictObject({ name: z.string(), description: z.string().exactOptional(), schema: z.unknown() }))
      .describe('Our own that it offered.'),
    made: z
      .record(z.string(), z.string())
      .exactOptional()
      .describe('What was made of media that it shows so, by item, as `data:` URLs.'),
  })
  .describe("The client's own body and what was put back into it; absent where content is not recorded.")
  .meta({ id: 'RecordedRequest' })
