import type { PassingMap } from '../../../host/index.ts'
import type { ModelInfo } from '../../../tokens/index.ts'
import type { GatewayParts } from '../../parts.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { cachedContents, noteTold } from './contributions.ts'
import type { KeptEvent, Told } from './contributions.ts'
import type { ContentRequests } from './content-requests.ts'
import type { GeminiPrompt } from './gemini-prompt.ts'
import type { KeptContent, KeptSession } from './kept-session.ts'
import { newSession } from './kept-session.ts'
import { averageGapMs, lifetimeMs, storageUsd } from './worth-keeping.ts'

/** One request on its way past what is kept of its session. */
export interface Visit {
  readonly parts: GatewayParts
  readonly sessions: KeptSessions
  readonly exchange: Exchange
  readonly prompt: GeminiPrompt
  /** Of what is known of such prompts. */
  readonly name: string
  /** Whether the request is still in its first round. */
  isOneRound(): boolean
  readonly info: ModelInfo
  readonly nowMs: number
  readonly requests: ContentRequests
  /** What the visits of this request have told. */
  readonly told: Told
}

export type KeptSessions = PassingMap<string, KeptSession>

/** Sessions that something is known of; the one that was used longest ago goes first, and what it keeps expires. */
const mostSessions = 1000

export function sessionOf({ sessions, name, nowMs }: Visit): KeptSession {
  return sessions.get(name) ?? newSession(nowMs)
}

export function changeSession(visit: Visit, changes: Partial<KeptSession>): void {
  const { sessions, name } = visit
  const session = { ...sessionOf(visit), ...changes }
  sessions.delete(name)
  sessions.set(name, session)
  const [oldest] = sessions.keys()
  if (sessions.size > mostSessions && oldest !== undefined) sessions.delete(oldest)
}

export function ttlMsOf(visit: Visit): number {
  return lifetimeMs(averageGapMs(sessionOf(visit)))
}

/** In the second half of its time what is still used is paid for anew. */
export function prolong(visit: Visit, content: KeptContent): void {
  const ttlMs = ttlMsOf(visit)
  if (content.paidMs - visit.nowMs > ttlMs / 2) return
  const paidMs = visit.nowMs + ttlMs
  changeSession(visit, { content: { ...content, paidMs } })
  charge(visit, storageUsd(content.tokens, visit.info, paidMs - content.paidMs) ?? 0)
  tell(visit, 'prolonged')
  aside(visit, visit.requests.prolong(content.name, ttlMs))
}

/** What is not used any more is paid for no longer. */
export function remove(visit: Visit, content: KeptContent): void {
  const unused = storageUsd(content.tokens, visit.info, content.paidMs - visit.nowMs) ?? 0
  changeSession(visit, { credit: sessionOf(visit).credit + Math.max(0, unused) })
  tell(visit, 'removed')
  aside(visit, visit.requests.remove(content.name))
}

/** Nothing is known any more of what was read. */
export function forget(visit: Visit): void {
  const { content: _, ...rest } = sessionOf(visit)
  visit.sessions.set(visit.name, { ...rest, reads: [] })
}

/** Less what was paid for before and not used. */
export function charge(visit: Visit, usd: number): void {
  const { credit } = sessionOf(visit)
  changeSession(visit, { credit: 0 })
  const { exchange, told } = visit
  exchange.trace.charge(usd - credit)
  told.usd = (told.usd ?? 0) + usd - credit
  noteTold(exchange.trace, told)
}

export function tell({ exchange: { trace }, told }: Visit, event: KeptEvent): void {
  trace.count(cachedContents, { event })
  told.events.push(event)
  noteTold(trace, told)
}

/** Whether it works out or not, the request does not wait for it. */
function aside({ parts, exchange }: Visit, work: Promise<unknown>): void {
  work.catch((error: unknown) => parts.skipped('cached-contents', error, exchange.id))
}
