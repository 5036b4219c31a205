import { z } from 'zod'
import { toolEntryShape, toolProtocols, toolTimeouts } from '../../../tools/index.ts'
import { toolLevels } from '../../../core/index.ts'
import type { ToolEntry } from '../../../tools/index.ts'
import { toolStatuses } from '../../tools/catalogue-tool.ts'
import { toolFailureCodes } from '../../tools/sources/tool-failure.ts'
import { atMs, count, listOf, ms, name, tokens } from './parts.ts'

const schema = z.custom<unknown>().meta({ type: 'object', description: 'A JSON Schema.' })
const names = z.array(z.string())

const usage = z
  .strictObject({
    offered: count.describe('Requests that offered it.'),
    called: count,
    failed: count.describe('Calls that ended in an error of the tool or its server.'),
    tokens: tokens.describe('Of all its results.'),
  })
  .meta({ id: 'ToolUsage' })

const row = {
  id: z.string().describe('`server::name`.'),
  calledAs: z.string().describe('The name that models call it by. It never goes to another tool.'),
  purpose: z.string(),
  line: z.string().describe('Name, parameters with types, and purpose in one line.'),
  level: z.enum(toolLevels),
  protocol: z.enum(toolProtocols),
  status: z.enum(toolStatuses),
  why: z.string().exactOptional().describe('Why it cannot be called.'),
  heldBack: z
    .strictObject({
      why: z.enum(['changed', 'suspected']),
      reasons: names.exactOptional(),
      description: z.string(),
    })
    .exactOptional()
    .describe('A later definition from the server that was not accepted yet.'),
  scopes: names,
  timeout: z.enum(toolTimeouts),
  idempotent: z.boolean(),
  categories: names,
  tokens: tokens.describe('Of its definition, by the tokenizer of `model`.'),
  quality: z.number().describe('The factor by which searches rank it, from 0.5 to 1.5; 1 where nothing is known.'),
  usage,
}

const toolRow = z.strictObject(row).meta({ id: 'ToolSummary' })

export const tool = z
  .strictObject({
    ...row,
    description: z.string(),
    inputSchema: schema,
    outputSchema: schema.exactOptional(),
    errors: z
      .array(
        z.strictObject({
          code: z.string(),
          message: z.string().exactOptional(),
          retryable: z.boolean().exactOptional(),
        }),
      )
      .exactOptional(),
    embedding: z
      .strictObject({ model: z.string(), dimensions: count })
      .exactOptional()
      .describe('What has made its vector, by which it is found by what it means. Absent while it has none.'),
    examples: names,
    warnings: names.describe('What was wrong with its definition and was left out.'),
    http: z
      .strictObject({ url: z.string(), method: z.string() })
      .exactOptional()
      .describe('Where it runs. Headers are not shown.'),
  })
  .meta({ id: 'Tool' })

export const toolList = listOf(toolRow).extend({
  missing: z
    .array(z.strictObject({ server: z.string(), reason: z.string() }))
    .describe('Why tools are missing. Where there is any, the list is incomplete.'),
})

export const toolEntry = z
  .custom<ToolEntry>()
  .describe('A tool.')
  .meta({ id: 'NewTool', ...(toolEntryShape.schema as Readonly<Record<string, unknown>>) })

export const toolCall = z.strictObject({
  arguments: z.record(z.string(), z.unknown()).default({}).describe('They must fit the schema of the tool.'),
  session: name.exactOptional().describe('The session that the call belongs to.'),
  scopes: names.max(100).exactOptional().describe('Scopes that the call may use, within those of its tenant.'),
  only: names.max(1000).exactOptional().describe('Tools that the step allows, by id or name, `*` for any characters.'),
})

export const toolAnswer = z
  .strictObject({
    ok: z.boolean(),
    tool: z.string(),
    text: z.string().exactOptional().describe('The result, or a summary of it where there is an `artifact`.'),
    structured: z.unknown().exactOptional().describe('The result as a value, where the tool gives one.'),
    artifact: z.string().exactOptional().describe('URI of the whole result.'),
    tokens: tokens.exactOptional().describe('Of the whole result.'),
    error: z
      .strictObject({
        code: z.enum(toolFailureCodes),
        message: z.string(),
        retryable: z.boolean().describe('Whether the same call may succeed later.'),
        hint: z.string().describe('What to do about it.'),
      })
      .exactOptional(),
    tookMs: ms,
  })
  .meta({ id: 'ToolAnswer' })

export const toolCallRecord = z
  .strictObject({
    id: z.string(),
    tool: z.string(),
    outcome: z.string().describe('`ok`, or the code of the error.'),
    tookMs: ms,
    tokens: tokens.describe('Of the result.'),
    atMs,
    session: z.string().exactOptional(),
    requestId: z.string().exactOptional(),
  })
  .meta({ id: 'ToolCall' })
