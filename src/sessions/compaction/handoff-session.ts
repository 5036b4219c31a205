import type { Briefing, CompileInput, SessionRecord } from '../../core/index.ts'
import { PrehendError, usualCompaction } from '../../core/index.ts'
import { sha256 } from '../../host/index.ts'
import type { Scope, Write } from '../../stores/index.ts'
import { briefingFaults } from './briefing-faults.ts'
import type { BriefingCheck } from './briefing-faults.ts'
import { answerTo, lastRequestOf, unknownSession, withAnswer } from './compact-session.ts'
import type { CompactionHost, LastRequest } from './compact-session.ts'
import { draftBriefing, ruleLines, turnsOf } from './draft-briefing.ts'
import { changeRecord, readRecord, recordScope } from './session-record.ts'

/** A conversation that a model is to brief somebody of. */
export interface BriefingRequest extends Omit<BriefingCheck, 'count'> {
  /** What is wrong with its last briefing, and that briefing; absent the first time. */
  readonly repair?: { readonly faults: readonly string[]; readonly briefing: unknown }
}

/** Writes a briefing; whatever it gives is checked. Rejects where it cannot. */
export type BriefingWriter = (request: BriefingRequest) => Promise<unknown>

export interface HandoffHost extends CompactionHost {
  /** Tokens of a text, for a model. */
  count(text: string, model: string | undefined, tenant: string): number
}

/** Options of a hand-over to a new session. */
export interface HandoffRequest {
  readonly summaryBudget?: number | undefined
  /** The same request with the same key begins one session. */
  readonly key?: string | undefined
  /** The model that writes; without one the briefing is put together of what was said. */
  readonly writer?: BriefingWriter | undefined
}

/** The result of a hand-over: the new session, and the briefing that it begins with. */
export interface HandoffResult {
  readonly sessionId: string
  readonly parentId: string
  readonly briefing: Briefing
  /** What the last request of the session before took, and what the briefing takes. */
  readonly tokensBefore: number
  readonly tokensAfter: number
}

/**
 * Begins a session with a briefing of another one, whose conversations stay as they are. What handles of the first bring back is copied, so
 * that they work in the second for as long as that lives. Rejects with `not-found`, `handoff-invalid` and `handoff-failed`; nothing
 * is written then.
 */
export async function handoffSession(host: HandoffHost, scope: Scope, asked: HandoffRequest): Promise<HandoffResult> {
  const { store } = host
  const parent = await readRecord(store, scope)
  const known = answerTo(parent, asked.key)
  if (known !== undefined) return known as HandoffResult
  const last = await threadOf(host, scope)
  const { tenant, session } = scope
  const count = (text: string): number => host.count(text, last.model, tenant)
  const { items } = last.input
  const check = {
    items,
    rules: ruleLines(turnsOf(items)),
    budgetTokens: asked.summaryBudget ?? usualCompaction.summaryBudget,
    count,
  }
  const briefing = await briefingOf(check, asked.writer)
  const result: HandoffResult = {
    sessionId: childName(host, scope, asked.key),
    parentId: session,
    briefing,
    tokensBefore: last.tokens,
    tokensAfter: count(JSON.stringify(briefing)),
  }
  await begin(host, scope, { parent, result })
  const record = await changeRecord(
    host,
    scope,
    (before) => (answerTo(before, asked.key) === undefined ? handedOver(before, asked.key, result) : before),
    { touches: false },
  )
  return (answerTo(record, asked.key) as HandoffResult | undefined) ?? result
}

/** The same key names the same session, also where a process died between two writes. */
function childName({ newName }: HandoffHost, { tenant, session }: Scope, key: string | undefined): string {
  return `ho_${sha256(['handoff', tenant, session, key ?? newName()].join('\n')).slice(0, 28)}`
}

type Thread = LastRequest & { readonly input: CompileInput }

async function threadOf(host: HandoffHost, scope: Scope): Promise<Thread> {
  const last = await lastRequestOf(host, scope)
  if (last === undefined) throw unknownSession()
  const { input } = last
  if (input !== undefined) return { ...last, input }
  const remedy = 'Record content (`record: "content"`), and hand over after the next request.'
  throw invalid(['The conversation is not recorded.'], remedy)
}

/** One pass to repair what a model has got wrong; what is put together here can only be too long. */
async function briefingOf(check: BriefingCheck, writer: BriefingWriter | undefined): Promise<Briefing> {
  let briefing: unknown = writer ? await written(writer, check) : draftBriefing(check.items, check)
  let faults = briefingFaults(briefing, check)
  if (faults.length > 0 && writer) {
    briefing = await written(writer, { ...check, repair: { faults, briefing } })
    faults = briefingFaults(briefing, check)
  }
  if (faults.length === 0) return briefing as Briefing
  throw invalid(faults, 'Allow more tokens (summaryBudget), or ask another model (summaries.handoffModel).')
}

async function written(writer: BriefingWriter, request: BriefingRequest): Promise<unknown> {
  try {
    return await writer(request)
  } catch (error) {
    const remedy = 'Try again, or look at summaries.handoffModel.'
    throw new PrehendError('handoff-failed', `The model that writes briefings has failed. ${remedy}`, { remedy }, error)
  }
}

function invalid(faults: readonly string[], remedy: string): PrehendError<'handoff-invalid'> {
  const all = faults.slice(0, 5).join(' ')
  return new PrehendError('handoff-invalid', `The briefing cannot be used: ${all} ${remedy}`, { faults, remedy })
}

interface Begun {
  readonly parent: SessionRecord | undefined
  readonly result: HandoffResult
}

async function begin({ store, clock }: HandoffHost, scope: Scope, { parent, result }: Begun): Promise<void> {
  const { sessionId, parentId, briefing } = result
  const child = recordScope({ tenant: scope.tenant, session: sessionId })
  const originals = await store.read('originals').all(scope)
  const record = { parent: parentId, briefing, ...(parent?.compaction && { compaction: parent.compaction }) }
  const overlay = [{ kind: 'session-record', ...record } as const]
  const writes: Write[] = [{ table: 'sessions', overlay }]
  if (originals.length > 0) writes.push({ table: 'originals', originals })
  await store.commit({ scope: child, nowMs: clock(), writes })
}

function handedOver(before: SessionRecord, key: string | undefined, result: HandoffResult): SessionRecord {
  return { ...before, ...withChild(before, result.sessionId), ...withAnswer(before, key, result) }
}

const mostChildren = 1000

export function withChild({ children = [] }: SessionRecord, child: string): Pick<SessionRecord, 'children'> {
  return { children: children.includes(child) ? children : [...children, child].slice(-mostChildren) }
}
