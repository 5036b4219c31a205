import type { Asked } from '../api/route.ts'
import type { ServingParts } from '../parts.ts'

/** What a route did to a session. */
export type SessionChange = 'steering' | 'compaction-settings' | 'compact' | 'handoff'

/** Logs who changed a session or took over its briefing, and from where. What was said stays out of the log. */
export function noteSessionChange(
  { logger }: Pick<ServingParts, 'logger'>,
  change: SessionChange,
  { tenant, asker: { keyId, from }, params: { session } }: Pick<Asked, 'tenant' | 'asker' | 'params'>,
): void {
  logger.info('session-changed', { change, tenant, keyId, from, session })
}
