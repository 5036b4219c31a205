import type { Item } from '../../core/index.ts'
import type { Scope } from '../../stores/index.ts'
import { collectItems } from '../collect/collect-items.ts'
import { packCollected } from '../collect/pack-collected.ts'
import { turnMemory } from '../collect/turn-memory.ts'
import type { TurnMemory } from '../collect/turn-memory.ts'
import { requestContext } from '../request-context.ts'
import type { Session } from '../session.ts'
import type { SessionRequest, SessionTurn, UnpackedTurn } from '../session-turn.ts'
import type { Host } from './in-process-host.ts'
import type { SessionOptions } from './session-options.ts'
import { traced } from './traced.ts'

/** A request that is to be packed. */
export interface PackingFor {
  readonly host: Host
  readonly session: Session
  readonly scope: Scope
  readonly request: Omit<SessionRequest, 'collected' | 'watch' | 'mode' | 'steady' | 'compaction'>
  readonly signal: AbortSignal | undefined
}

const usualMs = 300
/** Conversations of which it is remembered what sources gave. */
const mostConversations = 16

/** Packs requests with what sources have for them: each is asked once for a turn of the user unless it says otherwise. */
export function packing(options: SessionOptions): (asked: PackingFor) => Promise<SessionTurn | UnpackedTurn> {
  const { tracing, collectMs = usualMs, steadyInstructions: steady = true } = options
  const always = { mode: 'on', steady, compaction: { ofTenant: options.compaction ?? {} } } as const
  const memory = turnMemory(mostConversations)
  return async (asked) => {
    const { host, session } = asked
    const request = { ...asked.request, ...always }
    const leftOut = (name: string, error: unknown): void => host.parts.watch.failed(name, error, request.requestId)
    const collected = await collectedFor(asked, { request, memory, limitMs: collectMs, leftOut })
    return traced(tracing, (watch) => packCollected(session, { ...request, watch, collected }, leftOut))
  }
}

interface CollectedHow {
  readonly request: SessionRequest
  readonly memory: TurnMemory
  readonly limitMs: number
  leftOut(name: string, error: unknown): void
}

async function collectedFor(
  { host: { parts, sources }, session, scope, signal }: PackingFor,
  { request, ...how }: CollectedHow,
): Promise<readonly Item[]> {
  if (sources.length === 0) return []
  return collectItems({
    ...how,
    sources,
    session,
    context: requestContext(parts, request, scope),
    conversation: request.received.conversation,
    signal: signal ?? new AbortController().signal,
    modelInfo: parts.modelInfo,
    clock: parts.clock,
  })
}
