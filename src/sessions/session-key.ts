import { isInstruction, isSetupAnswer, isSetupText, steadyForm } from '../core/index.ts'
import type { WireExchange, Item, Message, WireHeaders } from '../core/index.ts'
import { sha256 } from '../host/index.ts'
import type { Scope } from '../stores/index.ts'
import { storedSessionName } from './session-name.ts'
import { mayChange } from './steady/kind-of-change.ts'

/**
 * Which session a request belongs to: the first that is present of `x-session-id`, `x-session-affinity`, `x-claude-code-session-id`, the body's
 * cache key, and the hash of what the conversation begins with, without what may be another in the next request. What goes under one name but begins differently (another agent,
 * a side question without tools, a compacted history) is a lane of its own, so that ledgers do not mix.
 */
export function sessionScope(tenant: string, exchange: WireExchange): Scope {
  const hasTools = exchange.conversation.tools.length > 0
  const { continues } = exchange.wire
  const names = continues === undefined ? namesOf(beginningOf(exchange), hasTools) : namesAfter(continues)
  return { tenant, session: namedSession(exchange) ?? names.session, lane: names.lane }
}

/** The session that a request's client has named. */
export function namedSession({ wire: { headers, cacheKey } }: WireExchange): string | undefined {
  const inHeader = sessionHeaders.map((name) => header(headers, name)).find((value) => value !== undefined)
  const named = inHeader ?? cacheKey
  return named === undefined ? undefined : storedSessionName(named)
}

/** By the first that a request has; the last is Claude Code's own. */
const sessionHeaders = ['x-session-id', 'x-session-affinity', 'x-claude-code-session-id'] as const

/**
 * Whether somebody has named a session. Otherwise it is told by how its conversations begin, and these may be of several people: what was
 * left out of one must not reach the model of another.
 */
export function isNamedSession({ session }: Scope, exchange: WireExchange): boolean {
  return namedSession(exchange) !== undefined || !/^[0-9a-f]{32}$/.test(session)
}

/** Of a request whose conversation the provider keeps: by the reply that it goes on from, for it begins in the middle. */
function namesAfter(replyId: string): Pick<Names, 'session' | 'lane'> {
  const hash = sha256(`reply\n${replyId}`)
  return { session: hash.slice(0, 32), lane: hash.slice(0, 16) }
}

/** What a conversation is called that begins so. */
interface Names {
  readonly items: readonly Item[]
  readonly hasTools: boolean
  readonly session: string
  readonly lane: string
}

/** By the last item of a beginning: a request that goes on has the items that the one before had. */
const known = new WeakMap<Item, Names>()

function namesOf(items: readonly Item[], hasTools: boolean): Names {
  const last = items.at(-1)
  const before = last && known.get(last)
  if (before?.hasTools === hasTools && isSame(before.items, items)) return before
  const beginning = items.map(({ role = '', text }) => `${role}\n${nameForm(role, text)}`).join('\n')
  const names = {
    items,
    hasTools,
    session: sha256(beginning).slice(0, 32),
    lane: sha256(`${hasTools ? 'tools' : 'bare'}\n${beginning}`).slice(0, 16),
  }
  if (last) known.set(last, names)
  return names
}

/** Of instructions, the lines that say no values: counts, paths and listings may be others in the next request. */
function nameForm(role: string, text: string): string {
  const lines = isInstruction(role) ? text.split('\n').filter((line) => !mayChange(line)) : []
  return lines.some((line) => line.trim() !== '') ? lines.join('\n') : steadyForm(text)
}

function isSame(one: readonly Item[], other: readonly Item[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index])
}

/** Messages among which an agent's introduction is looked for. */
const mostOpening = 8

/**
 * The items of the first system message and of the first other one. Where that one is an agent's introduction, which is the same in all its
 * conversations, those up to the user's first own message belong to the beginning, too: the first request has them already.
 */
function beginningOf({ conversation: { messages, items } }: WireExchange): readonly Item[] {
  const system = messages.find(({ role }) => isInstruction(role))
  const others: Message[] = []
  for (const message of messages) {
    if (!isInstruction(message.role)) others.push(message)
    if (others.length === mostOpening) break
  }
  const [first, ...next] = others
  const own = itemsOf([...(system ? [system] : []), ...(first ? [first] : [])], items)
  if (!first || !isSetup(first, own)) return own
  const further = throughSetup(next, itemsOf(next, items))
  return further.length === 0 ? own : [...own, ...itemsOf(further, items)]
}

/** The messages up to the user's first own one; none where something else comes before it. */
function throughSetup(messages: readonly Message[], items: readonly Item[]): readonly Message[] {
  const typed = messages.findIndex((message) => message.role === 'user' && !isSetup(message, items))
  const before = messages.slice(0, Math.max(0, typed))
  const isOpen = before.every((message) => isSetup(message, items) || isAnswerToSetup(message, items))
  const own = messages[typed]
  return own !== undefined && isOpen && isTyped(own, items) ? [...before, own] : []
}

function isSetup({ role, itemIds }: Message, items: readonly Item[]): boolean {
  const own = ofMessage(itemIds, items)
  return role === 'user' && own.length > 0 && own.every(({ kind, text }) => kind === 'text' && isSetupText(text))
}

function isAnswerToSetup({ role, itemIds }: Message, items: readonly Item[]): boolean {
  const own = ofMessage(itemIds, items)
  return role === 'assistant' && own.length === 1 && own.every(({ text }) => isSetupAnswer(text))
}

/** Some dialects give the results of tools back as the user. */
function isTyped({ itemIds }: Message, items: readonly Item[]): boolean {
  return ofMessage(itemIds, items).every(({ kind }) => kind !== 'tool-result')
}

function ofMessage(itemIds: readonly string[], items: readonly Item[]): readonly Item[] {
  const ids = new Set(itemIds)
  return items.filter(({ id }) => ids.has(id))
}

function itemsOf(messages: readonly Message[], items: readonly Item[]): readonly Item[] {
  const ids = new Set(messages.flatMap(({ itemIds }) => itemIds))
  const found: Item[] = []
  for (const item of items) {
    if (found.length === ids.size) break
    if (ids.has(item.id)) found.push(item)
  }
  return found
}

function header(headers: WireHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
