import { PassingMap } from '../../../host/index.ts'
import { priceOf } from '../../../tokens/index.ts'
import type { JobKind } from '../../jobs/job.ts'
import { bodyOf, isSuccess } from '../../outlet/reply.ts'
import type { Reply, ReplyEnd } from '../../outlet/reply.ts'
import type { GatewayParts } from '../../parts.ts'
import type { Layer, Next } from '../../exchange/layer.ts'
import type { RequestTrace } from '../../exchange/trace.ts'
import { contributes } from './contributions.ts'
import type { Told } from './contributions.ts'
import { contentRequests } from './content-requests.ts'
import type { MadeContent } from './content-requests.ts'
import { geminiPrompt } from './gemini-prompt.ts'
import { isRead, measured } from './kept-session.ts'
import type { Beginning, KeptContent } from './kept-session.ts'
import { removeAll } from './remove-all.ts'
import { changeSession, charge, forget, prolong, remove, sessionOf, tell, ttlMsOf } from './visit.ts'
import type { KeptSessions, Visit } from './visit.ts'
import { keepingGain, storageUsd } from './worth-keeping.ts'

/**
 * Has Google keep the beginning of a session's prompts by name, where that is cheaper than what it caches by itself: where the
 * session has shown that its own prompts are not read from there. What is kept is what the request before has sent; it is used
 * as long as prompts begin with it, and paid for by the hour until it expires.
 */
export function cachedContentsLayer(parts: GatewayParts): Layer {
  const sessions: KeptSessions = new PassingMap()
  const requests = new WeakMap<RequestTrace, Rounds>()
  parts.jobs.add({ kind: removal, name: 'all', run: (signal) => removeAll(parts, sessions, signal) })
  return {
    ...contributes,
    failure: 'open',
    appliesTo: ({ kind, wire, body, sessionName }) =>
      kind === 'messages' && wire.dialect === 'gemini' && body !== undefined && sessionName !== undefined,
    handle(exchange, next) {
      const { trace, body = '', conversation, sessionName } = exchange
      const prompt = geminiPrompt(body)
      if (prompt === undefined || prompt.isKept) return next(exchange)
      const own = requests.get(trace) ?? { count: 0, told: { events: [] } }
      own.count += 1
      requests.set(trace, own)
      const visit: Visit = {
        parts,
        sessions,
        exchange,
        prompt,
        name: JSON.stringify([sessionName, conversation.model, prompt.head, prompt.contentsOf(1)]),
        info: parts.catalogueOf(exchange.tenant).info(conversation.model),
        nowMs: parts.clock(),
        requests: contentRequests(parts, exchange),
        isOneRound: () => own.count === 1,
        told: own.told,
      }
      return sent(visit, next)
    },
  }
}

/** The rounds of one request. */
interface Rounds {
  count: number
  readonly told: Told
}

/** What is kept is paid for by the hour: it is removed when the gateway stops. */
const removal: JobKind = { name: 'cached-contents', atDrain: 'begin' }

async function sent(visit: Visit, next: Next): Promise<Reply> {
  const { exchange, prompt } = visit
  dropUnlike(visit)
  const content = sessionOf(visit).isOff ? undefined : await contentFor(visit)
  note(visit)
  exchange.whenEnded((end) => ended(visit, end, content))
  if (content === undefined) return next(exchange)
  prolong(visit, content)
  const reply = await next({ ...exchange, body: prompt.goingOn(content.count, content.name) })
  if (!refusals.has(reply.status)) {
    if (isSuccess(reply)) used(visit)
    return reply
  }
  // Whatever it is that the provider refuses, the whole request says whether it is this.
  await bodyOf(reply)
  const whole = await next(exchange)
  if (whole.status !== reply.status) lose(visit, content)
  return whole
}

const refusals = new Set([400, 403, 404])

/** After another epoch, or where the client has changed its history, nothing will begin with that again. */
function dropUnlike(visit: Visit): void {
  const { content } = sessionOf(visit)
  if (content === undefined) return
  if (visit.nowMs >= content.paidMs) {
    forget(visit)
    tell(visit, 'expired')
  } else if (visit.prompt.contentsOf(content.count) !== content.contents) {
    remove(visit, content)
    forget(visit)
    // What has not paid for itself is not tried again.
    if (content.uses < 2) changeSession(visit, { isOff: true })
  }
}

/** What the request can go on from: what is kept, or is kept from now on. */
async function contentFor(visit: Visit): Promise<KeptContent | undefined> {
  const { content, last } = sessionOf(visit)
  const { prompt, info, nowMs, exchange, requests } = visit
  const held = content !== undefined && content.count < prompt.count ? content : undefined
  if (last === undefined || !goesOn(visit, last) || !isWorthIt(visit)) return held
  const ttlMs = ttlMsOf(visit)
  // Whatever comes of it, the next try has to be worth it anew.
  changeSession(visit, { reads: [] })
  const made = await madeOf(visit, prompt.keeping(last.count, exchange.conversation.model, ttlMs))
  if (made === undefined) return held
  if (content !== undefined) remove(visit, content)
  const fresh: KeptContent = {
    ...last,
    ...made,
    hourUsd: storageUsd(made.tokens, info, hourMs) ?? 0,
    paidMs: nowMs + ttlMs,
    uses: 0,
    remove: (signal) => requests.remove(made.name, signal),
  }
  changeSession(visit, { content: fresh })
  const making = priceOf({ inputTokens: made.tokens, outputTokens: 0 }, info) ?? 0
  charge(visit, making + (storageUsd(made.tokens, info, ttlMs) ?? 0))
  tell(visit, 'made')
  return fresh
}

/** Undefined where nothing is kept; the request goes on without. What the provider refuses it is not asked for again. */
async function madeOf(visit: Visit, body: string): Promise<MadeContent | undefined> {
  const { parts, exchange, requests } = visit
  try {
    const made = await requests.make(body)
    if (made === undefined) {
      changeSession(visit, { isOff: true })
      tell(visit, 'refused')
    }
    return made
  } catch (error) {
    parts.skipped('cached-contents', error, exchange.id)
    return undefined
  }
}

function goesOn({ prompt }: Visit, { count, contents }: Beginning): boolean {
  return count > 0 && count < prompt.count && prompt.contentsOf(count) === contents
}

function isWorthIt(visit: Visit): boolean {
  const session = sessionOf(visit)
  const { lastTokens = 0 } = session
  if (lastTokens < visit.info.cache.minTokens || !hasRoom(visit, lastTokens)) return false
  return (keepingGain(session, visit.info) ?? 0) > 0
}

const hourMs = 3_600_000

/** What all sessions keep together is bounded, in number and in what an hour of it costs. */
function hasRoom({ sessions, parts, info, nowMs, name }: Visit, tokens: number): boolean {
  const { mostContents, mostStorageUsd } = parts.config.promptCache
  const others = [...sessions.keys()].flatMap((session) => {
    const content = sessions.get(session)?.content
    return content !== undefined && session !== name && content.paidMs > nowMs ? [content] : []
  })
  const hour = others.reduce((usd, content) => usd + content.hourUsd, storageUsd(tokens, info, hourMs) ?? Infinity)
  return others.length < mostContents && hour <= mostStorageUsd
}

function note(visit: Visit): void {
  const { count } = visit.prompt
  const last: Beginning = { count, contents: visit.prompt.contentsOf(count) }
  changeSession(visit, { requests: sessionOf(visit).requests + 1, lastMs: visit.nowMs, last })
}

function used(visit: Visit): void {
  const { content } = sessionOf(visit)
  if (content !== undefined) {
    changeSession(visit, { content: { ...content, uses: content.uses + 1 } })
    visit.told.tokens = content.tokens
  }
  tell(visit, 'read')
}

/** What was gone before its time was over is not kept again: it cannot be counted on. */
function lose(visit: Visit, content: KeptContent): void {
  forget(visit)
  tell(visit, 'lost')
  if (content.paidMs > visit.nowMs) changeSession(visit, { isOff: true })
}

/** What one round has used says what was read; what is paid for and not read is paid for no longer. */
function ended(visit: Visit, { usage, status }: ReplyEnd, content: KeptContent | undefined): void {
  if (usage === undefined || status >= 400) return
  const session = sessionOf(visit)
  if (!visit.isOneRound()) {
    // Several rounds are told as one, which says nothing of the length of the last.
    const { lastTokens: _, ...rest } = session
    visit.sessions.set(visit.name, rest)
    return
  }
  visit.sessions.set(visit.name, measured(session, usage))
  if (content === undefined || session.content?.name !== content.name || isRead(content, usage)) return
  remove(visit, session.content)
  forget(visit)
  changeSession(visit, { isOff: true })
}
