import type { Item, ToolDefinition, WireExchange } from '../../core/index.ts'
import type { ToolUseChange } from '../../stores/index.ts'
import { catalogueIndex, withQuery } from '../../tools/index.ts'
import type { LearntTools } from '../../tools/index.ts'
import type { SessionTurn } from '../session-turn.ts'
import { functionsOf } from './listed-tools.ts'

export interface ToLearn {
  readonly turn: Pick<SessionTurn, 'before' | 'after' | 'catalogue'>
  /** What is learnt so far. */
  readonly learnt: LearntTools
  /** Whether text of users may be kept. */
  readonly keepsQueries: boolean
}

/** Whether a client has so many tools that some may be left to be found. Of fewer nothing is learnt. */
export function hasManyTools(received: WireExchange): boolean {
  return functionsOf(received).length >= fewestTools
}

const fewestTools = 20

/** What a request tells about the client's tools that the conversation's request before did not. Pure. */
export function learntFrom({ turn, learnt, keepsQueries }: ToLearn): readonly ToolUseChange[] {
  const { before, after, catalogue } = turn
  const now = after.layered ?? after.received
  const tools = now === undefined ? [] : functionsOf(now)
  if (now === undefined || tools.length < fewestTools) return []
  const last = before.layered ?? before.received
  const said = saidIn(now)
  const told = toldBy(said, newFrom(said, { last, isFirst: before.version === 0 }))
  const unlisted = new Set(catalogue?.unlisted.map(({ name }) => name))
  const query = told.newQuery
  const relevant = query === undefined ? [] : relevantTo(query, tools, learnt)
  const had = new Set(last === undefined ? [] : functionsOf(last).map(({ name }) => name))
  const knows = last !== undefined || before.version === 0
  return tools.flatMap(({ name }): readonly ToolUseChange[] => {
    const { answeredFor = [], failed = 0, isFirst = false } = told.calls.get(name) ?? {}
    const change = {
      name,
      offered: relevant.includes(name) && !unlisted.has(name) ? 1 : 0,
      called: answeredFor.length,
      failed,
      sessions: knows && !had.has(name) ? 1 : 0,
      calledIn: isFirst ? 1 : 0,
    }
    const isNothing = change.offered + change.called + change.failed + change.sessions + change.calledIn === 0
    if (isNothing) return []
    const known = learnt.uses.get(name)?.queries ?? []
    const queries = keepsQueries ? answeredFor.reduce(withQuery, known) : known
    return [queries === known ? change : { ...change, queries }]
  })
}

/** What users, calls and results say, in their order. */
function saidIn({ conversation: { items } }: WireExchange): readonly Item[] {
  return items.filter(
    ({ kind, role }) => kind === 'tool-call' || kind === 'tool-result' || (kind === 'text' && role === 'user'),
  )
}

interface Before {
  readonly last: WireExchange | undefined
  readonly isFirst: boolean
}

/** Where what the last request did not say begins. Where that is not known any more, nothing is new but the last reply and what came after. */
function newFrom(said: readonly Item[], { last, isFirst }: Before): number {
  if (last !== undefined) {
    const before = saidIn(last)
    const at = said.findIndex((item, index) => !isSame(item, before[index]))
    return at < 0 ? said.length : at
  }
  if (isFirst) return 0
  const call = said.findLastIndex(({ kind }) => kind === 'tool-call')
  return said.findLastIndex(({ kind }, at) => at < call && kind !== 'tool-call') + 1
}

function isSame(one: Item, other: Item | undefined): boolean {
  if (one === other) return true
  return other !== undefined && one.kind === other.kind && one.toolName === other.toolName && one.text === other.text
}

interface ToolCalls {
  /** The messages of users after which it gave a result for the first time. */
  readonly answeredFor: readonly string[]
  readonly failed: number
  /** Whether the conversation had no result of it before. */
  readonly isFirst: boolean
}

interface Told {
  readonly calls: ReadonlyMap<string, ToolCalls>
  /** What the user asks for last, where that is new. */
  readonly newQuery?: string
}

const noCalls: ToolCalls = { answeredFor: [], failed: 0, isFirst: false }

/** What is told from a place on. A message of the user counts once for each tool, however often this is called for it. */
function toldBy(said: readonly Item[], from: number): Told {
  const calls = new Map<string, ToolCalls>()
  const names = new Map<string, string>()
  const answered = new Set<string>()
  const answeredEver = new Set<string>()
  let query = ''
  let queryAt = -1
  for (const [at, { kind, text, toolName, toolCallId = '', status }] of said.entries()) {
    if (kind === 'text') {
      query = text
      queryAt = at
      answered.clear()
      continue
    }
    if (kind === 'tool-call') names.set(toolCallId, toolName ?? '')
    const name = toolName ?? names.get(toolCallId)
    if (kind !== 'tool-result' || name === undefined) continue
    const isFailed = status === 'error'
    if (at >= from) calls.set(name, withResult(calls.get(name), { isFailed, answered, answeredEver, name, query }))
    if (!isFailed) for (const known of [answered, answeredEver]) known.add(name)
  }
  return { calls, ...(queryAt >= from && { newQuery: query }) }
}

interface Result {
  readonly name: string
  readonly isFailed: boolean
  readonly query: string
  readonly answered: ReadonlySet<string>
  readonly answeredEver: ReadonlySet<string>
}

function withResult(before = noCalls, { name, isFailed, query, answered, answeredEver }: Result): ToolCalls {
  if (isFailed) return { ...before, failed: before.failed + 1 }
  const isFirst = before.isFirst || !answeredEver.has(name)
  return answered.has(name) ? before : { ...before, isFirst, answeredFor: [...before.answeredFor, query] }
}

const mostRelevant = 20

function relevantTo(query: string, tools: readonly ToolDefinition[], learnt: LearntTools): readonly string[] {
  return catalogueIndex(tools, learnt)
    .search(query, { limit: mostRelevant })
    .map(({ id }) => id)
}
