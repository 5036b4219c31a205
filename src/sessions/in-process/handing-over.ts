import { randomText } from '../../host/index.ts'
import type { Scope } from '../../stores/index.ts'
import { tokenizerFor } from '../../tokens/index.ts'
import { compactSession, unknownSession } from '../compaction/compact-session.ts'
import type { CompactionResult, CompactRequest, LastRequest } from '../compaction/compact-session.ts'
import { handoffSession } from '../compaction/handoff-session.ts'
import type { HandoffHost, HandoffRequest, HandoffResult } from '../compaction/handoff-session.ts'
import type { SessionParts } from '../session-parts.ts'
import type { SessionTurn } from '../session-turn.ts'
import type { SessionOptions } from './session-options.ts'

/** A session in process that grows too long. */
export interface HandingOver {
  /**
   * Has the next request of the session compacted, and says what that saves of its last one. Of a session with the `id` of the options, or
   * else of the one that was packed last. Rejects with `not-found` where there is none.
   */
  compact(asked?: CompactRequest): Promise<CompactionResult>
  /**
   * Begins a session with a briefing of this one, which stays as it is: open it by its `sessionId`. Rejects with `not-found`,
   * `handoff-invalid` and `handoff-failed`.
   */
  handoff(asked?: HandoffRequest): Promise<HandoffResult>
}

export interface HandingOptions {
  readonly options: SessionOptions
  readonly tenant: string
  /** What the session runs on. */
  open(): Promise<{ readonly parts: SessionParts }>
  /** What was packed last. */
  last(): SessionTurn | undefined
}

/** Compacting a session in process, and handing it over. */
export function handingOver(own: HandingOptions): HandingOver {
  const { options, open, last } = own
  const hostOf = async () => hostFor((await open()).parts, last())
  return {
    async compact(asked = {}) {
      const scope = scopeOf(own)
      return compactSession(await hostOf(), scope, { ...options.compaction, ...asked })
    },
    async handoff(asked = {}) {
      const scope = scopeOf(own)
      return handoffSession(await hostOf(), scope, { ...options.compaction, ...asked })
    },
  }
}

/** The session that is meant. Throws `not-found` where it has neither name nor request. */
export function scopeOf({ options, tenant, last }: HandingOptions): Scope {
  const session = options.id ?? last()?.scope.session
  if (session === undefined) throw unknownSession()
  return { tenant, session }
}

/** The last turn is known here, also where receipts do not keep content. */
function hostFor({ store, clock, compile, modelInfo }: SessionParts, last: SessionTurn | undefined): HandoffHost {
  return {
    store,
    clock,
    compile,
    newName: () => randomText(16),
    count: (text, model = '') => tokenizerFor(model, { info: modelInfo }).count(text),
    lastRequest: ({ tenant, session }) =>
      last?.scope.session === session && last.scope.tenant === tenant ? lastRequestIn(last) : undefined,
  }
}

function lastRequestIn({ scope, input, manifest }: SessionTurn): LastRequest {
  const { packTokens, overheadTokens, offers } = manifest
  const { lane = '' } = scope
  return { lane, model: input.model, tokens: packTokens + overheadTokens, input, offers: offers === true }
}
