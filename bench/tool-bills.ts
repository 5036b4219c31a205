/**
 * What sessions with many tools cost by each way to select them: the recorded sessions of mcp-traces, as an agent would have had them that carries
 * every tool of the servers of its task's category. What it wrote when it looked for a tool is what the model searches for.
 * Options: --limit N, --policy NAME, --provider NAME.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { codecFor } from '../src/codecs/index.ts'
import { balanced, careful, thrifty } from '../src/compiler/index.ts'
import { isJsonObject, jsonValue } from '../src/core/index.ts'
import type { JsonObject, JsonValue, ToolDefinition } from '../src/core/index.ts'
import { conversationTrace, namedRules, selectionReport } from '../src/inspect/index.ts'
import type { BillingRuleName, CatalogueTrace } from '../src/inspect/index.ts'

const folder = '../shared/data/mcp-traces'

interface Recorded {
  readonly id: string
  readonly category: string
  readonly executed_tools: readonly string[]
  readonly gold_tools: readonly { readonly ids: readonly string[] }[]
  readonly messages: readonly RecordedMessage[]
}

interface RecordedMessage {
  readonly role: string
  readonly content?: JsonValue
  readonly tool_call_id?: string
  readonly tool_calls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]
}

interface CatalogTool {
  readonly id: string
  readonly description?: string
  readonly inputSchema?: JsonObject
}

const { values } = parseArgs({
  options: {
    limit: { type: 'string', default: '56' },
    policy: { type: 'string', default: 'careful' },
    provider: { type: 'string', default: 'anthropic' },
  },
})

function rowsOf(file: string): readonly unknown[] {
  return readFileSync(`${folder}/${file}`, 'utf8')
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
}

const serverOf = (id: string): string => id.split('::', 1)[0] ?? ''
const nameOf = (id: string): string =>
  id
    .replaceAll('::', '__')
    .replaceAll(/[^\w-]/g, '_')
    .slice(0, 64)

const sessions = rowsOf('traces.dev.jsonl') as readonly Recorded[]
const catalog = rowsOf('catalog.jsonl') as readonly CatalogTool[]

/** The servers that tasks of a category have used, or should have. */
const servers = new Map<string, Set<string>>()
for (const { category, executed_tools: used, gold_tools: gold } of sessions) {
  const known = servers.get(category) ?? new Set()
  for (const id of [...used, ...gold.flatMap(({ ids }) => ids)]) known.add(serverOf(id))
  servers.set(category, known)
}

function toolsOf(category: string): ReadonlyMap<string, ToolDefinition> {
  const own = catalog.filter(({ id }) => servers.get(category)?.has(serverOf(id)))
  return new Map(
    own.map(({ id, description = '', inputSchema: schema = { type: 'object' } }) => [
      id,
      { name: nameOf(id), description, schema },
    ]),
  )
}

/** The recorded agent looked for tools and ran them by two tools of its own; this is the session without these. */
function traceOf({ id, category, messages }: Recorded): CatalogueTrace {
  const tools = toolsOf(category)
  const queries = new Map<string, string>()
  const left = new Set<string>()
  const direct: JsonObject[] = []
  let query = ''
  for (const message of messages) {
    const { role, tool_calls: calls = [], tool_call_id: callId = '', content = null } = message
    if (left.has(callId)) continue
    const said = typeof content === 'string' ? content : JSON.stringify(content)
    if (role !== 'assistant') {
      direct.push({ role, content: said, ...(callId !== '' && { tool_call_id: callId }) })
      continue
    }
    const made = calls.flatMap((call): JsonObject[] => {
      const given = jsonValue(call.arguments)
      const asked = isJsonObject(given) ? given : {}
      if (call.name === 'route') query = cleaned(String(asked['query']))
      const tool = tools.get(`${String(asked['server_name'])}::${String(asked['tool_name'])}`)
      if (call.name === 'route' || tool === undefined) {
        left.add(call.id)
        return []
      }
      queries.set(call.id, query)
      const body = { name: tool.name, arguments: JSON.stringify(asked['params'] ?? {}) }
      return [{ id: call.id, type: 'function', function: body }]
    })
    if (calls.length > 0 && made.length === 0) continue
    direct.push({ role, content: content === null ? null : said, ...(made.length > 0 && { tool_calls: made }) })
  }
  const trace = conversationTrace(id, requestsOf(direct))
  return {
    ...trace,
    tools: [...tools.values()],
    query(index, name) {
      const call = trace.requests[index]?.answer?.items.find(({ toolName }) => toolName === name)
      return queries.get(call?.toolCallId ?? '')
    },
  }
}

function cleaned(query: string): string {
  return query
    .replaceAll(/<\/?tool_assistant>/g, '')
    .replaceAll(/^(?:server|tool):/gm, '')
    .trim()
}

function requestsOf(messages: readonly JsonObject[]): Parameters<typeof conversationTrace>[1] {
  const codec = codecFor('openai-chat')
  const ends = messages.flatMap(({ role }, index) => (role === 'assistant' ? [index] : []))
  return [...ends, messages.length].map((end, index) => {
    const body = JSON.stringify({ model: 'gpt-5.1', messages: messages.slice(0, end) })
    return { conversation: codec.decode({ body }).conversation, atMs: 10_000 * index }
  })
}

const policy = [careful, balanced, thrifty].find(({ id }) => id === values.policy)
if (policy === undefined) throw new Error(`no policy is called ${values.policy}`)
const rules = namedRules(values.provider as BillingRuleName)
const traces = sessions.slice(0, Number(values.limit)).map(traceOf)
const ways = [
  { name: 'by our three tools (openai-chat)', dialect: 'openai-chat', model: 'gpt-5.1' },
  { name: 'deferred (anthropic-messages)', dialect: 'anthropic-messages', model: 'claude-sonnet-5' },
] as const
for (const { name, ...way } of ways) {
  const { tools, selections } = await selectionReport(traces, { policy, rules, ...way })
  console.log(
    `\n${name}: ${traces.length} sessions, ${tools.toFixed(0)} tools on average, ${policy.id}, prices of ${rules.name}`,
  )
  console.table(
    selections.map((row) => ({
      'selection': row.selection,
      'cost': row.costRatio.toFixed(3),
      'worst session': row.worstCostRatio.toFixed(3),
      'definitions': Math.round(row.definitionTokens / traces.length),
      'requests': row.requests,
      'searches': row.hiddenRequests,
      'looked for': row.looked,
      'at once': row.foundAtOnce,
      'not found': row.notFound,
    })),
  )
}
