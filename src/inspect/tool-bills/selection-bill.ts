import { asExecuteCall } from '../../tools/index.ts'
import { codecFor } from '../../codecs/index.ts'
import type { Codec } from '../../codecs/index.ts'
import type { Dialect, Policy, SaidCall, SaidReply, ToolDefinition, ToolSelection } from '../../core/index.ts'
import { itemTokens } from '../../core/index.ts'
import { openSession } from '../../sessions/index.ts'
import type { BillingRules } from '../billing-rules.ts'
import type { RenderedMessage } from '../render.ts'
import type { Trace, TraceRequest } from '../trace.ts'
import { callsIn, searchCall, searchesFor } from './searching-model.ts'

/** A recorded session of an agent that has a catalogue of tools. */
export interface CatalogueTrace extends Trace {
  readonly tools: readonly ToolDefinition[]
  /** What the agent wrote when it looked for a tool before its request of this index; its own words count where absent. */
  readonly query?: (index: number, tool: string) => string | undefined
}

export interface SelectionOptions {
  readonly selection: ToolSelection
  /** Everything else that is done to a request. */
  readonly policy: Policy
  readonly rules: BillingRules
  readonly dialect: Dialect
  readonly model: string
  /** Whether definitions may be kept aside by a provider that can. */
  readonly deferred?: boolean
}

/** What a session comes to where its tools are selected so. */
export interface SelectionBill {
  readonly requests: number
  /** Requests that only a search has asked for. */
  readonly hiddenRequests: number
  readonly tokens: number
  readonly cachedTokens: number
  /** In plain input tokens, with what the model writes to look for tools. */
  readonly cost: number
  /** Of definitions, in the first request. */
  readonly definitionTokens: number
  /** Tools that the model called and had to look for, those of them that its own words have found, and those that nothing has. */
  readonly looked: number
  readonly foundAtOnce: number
  readonly notFound: number
}

/** Has a session packed in process as its agent would send it, with a model that looks for each tool that it does not see, and bills it. */
export async function selectionBill(trace: CatalogueTrace, options: SelectionOptions): Promise<SelectionBill> {
  const { selection, policy, rules, dialect, deferred = true } = options
  let nowMs = 0
  const session = openSession({
    policy: { ...policy, tools: { ...policy.tools, selection, deferred } },
    id: trace.id,
    clock: () => nowMs,
  })
  const bill = biller(trace, options)
  let [looked, foundAtOnce, notFound, hiddenRequests, writtenTokens] = [0, 0, 0, 0, 0]
  for (const [index, request] of trace.requests.entries()) {
    nowMs = request.atMs
    const packed = await session.pack(bodyOf(codecFor(dialect), trace, request, options))
    let sent = packed.body
    bill.add(sent, nowMs)
    const { answer } = request
    if (answer === undefined) continue
    const unseen = new Set(
      callsIn(answer).flatMap(({ toolName = '' }) => (bill.sees(sent, toolName) ? [] : [toolName])),
    )
    for (const name of unseen) {
      const tool = trace.tools.find((one) => one.name === name)
      if (tool === undefined) continue
      looked += 1
      const queries = searchesFor(tool, answer, trace.query?.(index, name))
      const foundBy = await search(queries, name)
      if (foundBy === 0) foundAtOnce += 1
      if (foundBy === undefined) notFound += 1
    }
    await packed.answered(replyText(codecFor(dialect), callsOf(answer, sent)))

    async function search(queries: readonly string[], name: string): Promise<number | undefined> {
      for (const [tried, query] of queries.entries()) {
        const call = searchCall(query, bill.requests())
        writtenTokens += rules.tokenizer.count(call.arguments)
        const next = await packed.next(replyText(codecFor(dialect), { text: '', calls: [call] }))
        if (next === undefined) return undefined
        hiddenRequests += 1
        sent = typeof next === 'string' ? next : JSON.stringify(next)
        bill.add(sent, nowMs)
        if (bill.sees(sent, name)) return tried
      }
      return undefined
    }

    function callsOf(said: NonNullable<TraceRequest['answer']>, body: string): Pick<SaidReply, 'text' | 'calls'> {
      const text = said.items.flatMap((item) => (item.kind === 'text' ? [item.text] : [])).join('\n')
      const calls = callsIn(said).map(({ toolName = '', toolCallId = '', text: given }): SaidCall => {
        const call = { name: toolName, arguments: given === '' ? '{}' : given }
        return { id: toolCallId, ...(bill.lists(body, toolName) ? call : asExecuteCall(call)) }
      })
      return { text, calls }
    }
  }
  await session.close()
  const sums = bill.sums()
  const cost = sums.cost + writtenTokens * rules.outputPrice
  return { ...sums, requests: trace.requests.length, hiddenRequests, cost, looked, foundAtOnce, notFound }
}

function bodyOf(codec: Codec, trace: CatalogueTrace, { messages }: TraceRequest, { model }: SelectionOptions): string {
  const own = messages.filter(({ id }) => id !== 'tools')
  const conversation = {
    model,
    stream: false,
    messages: own.map(({ id, role, items }) => ({ id, role, itemIds: items.map((item) => item.id) })),
    items: own.flatMap(({ items }) => items),
    tools: [],
    sampling: {},
  }
  return codec.write(conversation, { hiddenTools: trace.tools }).body
}

function replyText(codec: Codec, { text, calls }: Pick<SaidReply, 'text' | 'calls'>): string {
  const reason = calls.length > 0 ? 'tool-calls' : 'end'
  const said: SaidReply = { text, calls, reason, reasoning: '', lost: [], usage: { inputTokens: 1, outputTokens: 1 } }
  return codec.replyWriter.whole(said, { id: 'reply', model: 'model', createdMs: 0 })
}

interface Biller {
  add(body: string, nowMs: number): void
  /** Whether a model that reads the body knows how a tool is called. */
  sees(body: string, name: string): boolean
  /** Whether it calls the tool by its own name. */
  lists(body: string, name: string): boolean
  requests(): number
  sums(): Pick<SelectionBill, 'tokens' | 'cachedTokens' | 'cost' | 'definitionTokens'>
}

function biller(trace: CatalogueTrace, { rules, dialect }: SelectionOptions): Biller {
  const codec = codecFor(dialect)
  const cache = rules.openCache()
  const sizes = new Map(trace.tools.map((tool) => [tool.name, rules.tokenizer.count(JSON.stringify(tool))]))
  const read = lastOf((body: string) => codec.decode({ body }))
  const sums = { tokens: 0, cachedTokens: 0, cost: 0, definitionTokens: 0 }
  let requests = 0
  const definitions = (body: string): ReadonlyMap<string, boolean> =>
    new Map(
      read(body).conversation.items.flatMap(({ kind, toolName, tokens }) =>
        kind === 'tool-schema' && toolName !== undefined ? [[toolName, tokens !== 0]] : [],
      ),
    )
  return {
    requests: () => requests,
    sums: () => sums,
    lists: (body, name) => definitions(body).has(name),
    sees(body, name) {
      const { conversation } = read(body)
      const isListed = definitions(body).get(name)
      return (
        isListed === true || conversation.items.some(({ kind, text }) => kind !== 'tool-schema' && tells(text, name))
      )
    },
    add(body, nowMs) {
      const messages = rendered(body)
      const { tokens, cachedTokens, cost } = cache.bill(messages, nowMs)
      sums.tokens += tokens
      sums.cachedTokens += cachedTokens
      sums.cost += cost
      if (requests === 0) sums.definitionTokens = messages[0]?.tokens ?? 0
      requests += 1
    },
  }

  /** The definitions as one message, then those of the body. */
  function rendered(body: string): readonly RenderedMessage[] {
    const { items, messages } = read(body).conversation
    const byId = new Map(items.map((item) => [item.id, item]))
    const tools = items.filter(({ kind }) => kind === 'tool-schema')
    const message = (role: RenderedMessage['role'], own: readonly (typeof items)[number][]): RenderedMessage => {
      const text = own.map((item) => `${item.toolName ?? ''} ${item.text}`).join('\n')
      const tokens = own.reduce((sum, item) => sum + itemTokens(rules.tokenizer, item) + loaded(item.text), 0)
      return { role, text, tokens: tokens + frameTokens, sourceId: '', observation: false, parts: [] }
    }
    return [
      message('system', tools),
      ...messages.map(({ role, itemIds }) =>
        message(
          role,
          itemIds.flatMap((id) => byId.get(id) ?? []),
        ),
      ),
    ]
  }

  /** A provider shows a definition where a reference to it stands. */
  function loaded(text: string): number {
    if (!text.includes('tool_reference')) return 0
    return [...text.matchAll(/"tool_name":"([^"]+)"/g)].reduce((sum, [, name = '']) => sum + (sizes.get(name) ?? 0), 0)
  }
}

const frameTokens = 4

/** A tool in an answer to a search, in a reference, or in a call that was made. */
function tells(text: string, name: string): boolean {
  return text.includes(`- ${name}(`) || text.includes(`"tool_name":"${name}"`) || text.includes(`"toolName":"${name}"`)
}

/** A body is read several times in a row. */
function lastOf<Read>(read: (body: string) => Read): (body: string) => Read {
  let last: { readonly body: string; readonly read: Read } | undefined
  return (body) => {
    if (last?.body !== body) last = { body, read: read(body) }
    return last.read
  }
}
