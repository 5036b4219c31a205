import type { Conversation, Item } from '../../core/index.ts'
import { collectItems } from '../collect/collect-items.ts'
import { turnMemory } from '../collect/turn-memory.ts'
import { requestContext } from '../request-context.ts'
import type { Session } from '../session.ts'
import type { SessionRequest } from '../session-turn.ts'
import type { Scope } from '../../stores/index.ts'
import type { Host } from './in-process-host.ts'
import type { SessionOptions } from './session-options.ts'

/** A request that sources may contribute to. */
export interface CollectingFor {
  readonly host: Host
  readonly session: Session
  readonly scope: Scope
  readonly request: Omit<SessionRequest, 'collected'>
  readonly conversation: Conversation
  readonly signal: AbortSignal | undefined
}

const usualMs = 300
/** Conversations of which it is remembered what sources gave. */
const mostConversations = 16

/** Gives what the sources of a session have for its requests: each is asked once for a turn of the user unless it says otherwise. */
export function collecting({
  collectMs = usualMs,
}: SessionOptions): (asked: CollectingFor) => Promise<readonly Item[]> {
  const memory = turnMemory(mostConversations)
  return async ({ host: { parts, sources }, session, scope, request, conversation, signal }) => {
    if (sources.length === 0) return []
    const { requestId } = request
    return collectItems({
      sources,
      memory,
      session,
      context: requestContext(parts, request, scope),
      conversation,
      signal: signal ?? new AbortController().signal,
      modelInfo: parts.modelInfo,
      clock: parts.clock,
      limitMs: collectMs,
      leftOut: (name, error) => parts.watch.failed(name, error, requestId),
    })
  }
}
