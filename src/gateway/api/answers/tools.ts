import type { z } from 'zod'
import { PrehendError, hasScope, perObject, stableJson } from '../../../core/index.ts'
import { tokenizerOf } from '../../../tokens/index.ts'
import { offeredSchema, ownServer, readToolId, toolId, toolLine, typedClient } from '../../../tools/index.ts'
import type { EmbeddedTool } from '../../../sessions/index.ts'
import type { ToolUsage } from '../../../stores/index.ts'
import type { ServingParts } from '../../parts.ts'
import type { CatalogueTool } from '../../tools/catalogue-tool.ts'
import { registryQuality } from '../../tools/find-tools.ts'
import { noSuchTool } from '../../tools/tool-registry.ts'
import type { Answered, Asked } from '../route.ts'
import type {
  callTool,
  listToolCalls,
  listTools,
  modelQuery,
  removeTool,
  showTool,
  toolsQuery,
} from '../routes/tool-routes.ts'
import type { toolCall, toolEntry } from '../schemas/tools.ts'

type ToolParts = Pick<ServingParts, 'tools' | 'store' | 'catalogueOf' | 'keys' | 'sessionParts'>
type AnswerOf<Of extends { readonly answer?: z.ZodType }> = Answered<z.output<NonNullable<Of['answer']>>>
type ShownTool = AnswerOf<typeof showTool>

export async function answerTools(
  parts: ToolParts,
  { tenant, query: { q, limit, cursor, model } }: Asked<typeof toolsQuery>,
): Promise<AnswerOf<typeof listTools>> {
  const counting = { usage: await parts.tools.usage(tenant), count: counterOf(parts, tenant, model) }
  if (q !== undefined) {
    const { meanings } = parts.sessionParts
    const { tools, missing } = await parts.tools.search(tenant, {
      query: q,
      limit,
      ...(meanings && { meaningOf: (query, among) => meanings.of(tenant, { query, tools: among.map(embeddedAs) }) }),
    })
    return { object: 'list', data: tools.map((tool) => rowOf(tool, counting)), next: null, missing: [...missing] }
  }
  const { tools, missing } = await parts.tools.catalogue(tenant)
  parts.sessionParts.meanings?.prepare(tenant, tools.filter(({ status }) => status === 'ready').map(embeddedAs))
  const behind = cursor === undefined ? tools : tools.filter(({ id }) => id > cursor)
  const shown = behind.slice(0, limit)
  const next = behind.length > shown.length ? (shown.at(-1)?.id ?? null) : null
  return { object: 'list', data: shown.map((tool) => rowOf(tool, counting)), next, missing: [...missing] }
}

export async function answerTool(
  parts: ToolParts,
  { tenant, params, query }: Asked<typeof modelQuery>,
): Promise<ShownTool> {
  return shownTool(parts, await toolOf(parts, tenant, params), { tenant, model: query.model })
}

export async function answerPutTool(
  parts: ToolParts,
  { tenant, params: { id = '' }, body, asker }: Asked<z.ZodObject, typeof toolEntry>,
): Promise<ShownTool> {
  const put = await parts.tools.put(tenant, { id, entry: body, by: { actor: asker.keyId, from: asker.from } })
  return shownTool(parts, put, { tenant, model: 'gpt-5' })
}

/** What sources define is for all tenants, so that nobody but an operator changes what was accepted of it. */
export async function answerRemoveTool(
  parts: ToolParts,
  { tenant, params: { id = '' }, asker }: Asked,
): Promise<AnswerOf<typeof removeTool>> {
  const tool = await toolOf(parts, tenant, { id })
  const isOfSource = parts.tools.isOfSource(tool.id)
  if (isOfSource && asker.keyId !== 'anonymous' && !hasScope(asker, 'operator')) throw operatorsOnly()
  const result = await parts.tools.remove(tenant, { id: tool.id, by: { actor: asker.keyId, from: asker.from } })
  return { id: tool.id, result }
}

export async function answerToolCall(
  parts: ToolParts,
  { tenant, params, body }: Asked<z.ZodObject, typeof toolCall>,
  signal: AbortSignal,
): Promise<AnswerOf<typeof callTool>> {
  const { id } = await toolOf(parts, tenant, params)
  const { arguments: given, session, scopes, only } = body
  const asked = { tool: id, arguments: JSON.stringify(given) }
  const { tool = id, ...answer } = await parts.tools.execute(tenant, asked, { session, scopes, only, signal })
  return { tool, ...answer }
}

export async function answerToolCalls(
  parts: ToolParts,
  { tenant, params, query: { limit } }: Asked<NonNullable<(typeof listToolCalls)['query']>>,
): Promise<AnswerOf<typeof listToolCalls>> {
  const { id } = await toolOf(parts, tenant, params)
  const data = await parts.store.read('tools').calls({ tenant, tool: id, limit })
  return { object: 'list', data: [...data], next: null }
}

export async function toolClient(parts: ToolParts, { tenant, params }: Asked): Promise<string> {
  return typedClient(await toolOf(parts, tenant, params))
}

async function toolOf({ tools }: ToolParts, tenant: string, { id = '' }: Asked['params']): Promise<CatalogueTool> {
  const named = id.includes('::') ? id : await nameOf(tools, tenant, id)
  const tool = await tools.get(tenant, toolId(readToolId(named)))
  if (tool === undefined) throw noSuchTool()
  return tool
}

/** A name alone is that of the tenant's own tool, or what models call a tool by. */
async function nameOf(tools: ToolParts['tools'], tenant: string, name: string): Promise<string> {
  const own = `${ownServer}::${name}`
  if ((await tools.get(tenant, own)) !== undefined) return own
  return (await tools.get(tenant, name))?.id ?? own
}

function operatorsOnly(): PrehendError<'forbidden'> {
  const remedy = 'Use the token of an operator.'
  return new PrehendError('forbidden', `The tool comes from a source, which all tenants share. ${remedy}`, { remedy })
}

interface Counting {
  readonly usage: Readonly<Record<string, ToolUsage>>
  readonly count: (definition: string) => number
}

function counterOf({ catalogueOf }: ToolParts, tenant: string, model: string): Counting['count'] {
  const tokenizer = tokenizerOf(catalogueOf(tenant).info(model))
  return (definition) => tokenizer.countTool?.(definition) ?? tokenizer.count(definition)
}

async function shownTool(
  parts: ToolParts,
  tool: CatalogueTool,
  { tenant, model }: { readonly tenant: string; readonly model: string },
): Promise<ShownTool> {
  const counting = { usage: await parts.tools.usage(tenant), count: counterOf(parts, tenant, model) }
  const embedding = await parts.sessionParts.meanings?.embedding(tenant, embeddedAs(tool))
  const { description, inputSchema, outputSchema, errors, examples, warnings, http } = tool
  return {
    ...rowOf(tool, counting),
    description,
    inputSchema,
    ...(outputSchema !== undefined && { outputSchema }),
    ...(errors && { errors: [...errors] }),
    ...(embedding && { embedding }),
    examples: [...examples],
    warnings: [...warnings],
    ...(http && { http: { url: http.url, method: http.method ?? 'POST' } }),
  }
}

/** As sessions have it, whose models call it by this name. */
const embeddedAs = perObject(({ id, calledAs: name, description }: CatalogueTool): EmbeddedTool => {
  return { id, name, description }
})

function rowOf(tool: CatalogueTool, { usage, count }: Counting): AnswerOf<typeof listTools>['data'][number] {
  const { id, calledAs, purpose, level, protocol, status, why, heldBack } = tool
  const { scopes, timeout, idempotent, categories, description } = tool
  const definition = stableJson({ type: 'function', name: calledAs, description, parameters: offeredSchema(tool) })
  return {
    id,
    calledAs,
    purpose,
    line: toolLine(tool),
    level,
    protocol,
    status,
    ...(why !== undefined && { why }),
    ...(heldBack && { heldBack: { ...heldBack, ...(heldBack.reasons && { reasons: [...heldBack.reasons] }) } }),
    scopes: [...scopes],
    timeout,
    idempotent,
    categories: [...categories],
    tokens: count(definition),
    quality: registryQuality(usage[id]),
    usage: usage[id] ?? { offered: 0, called: 0, failed: 0, tokens: 0 },
  }
}
