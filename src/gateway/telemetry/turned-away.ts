import type { ErrorCode } from '../../core/index.ts'
import type { GatewayParts } from '../parts.ts'

export interface TurnedAway {
  readonly requestId: string
  readonly method: string
  /** As the client wrote it. */
  readonly path: string
  readonly code: ErrorCode
  /** The address that has asked. */
  readonly from: string
}

/** Counts and logs a request that went nowhere, so that somebody sees what clients ask for in vain. */
export function noteTurnedAway(
  { metrics, logger }: GatewayParts,
  { requestId, method, path, code, from }: TurnedAway,
): void {
  metrics.turnedAway.inc({ reason: code })
  logger.info('turned-away', { requestId, method, path: loggedPath(path), code, from })
}

/** A path as the log has it: a query may hold what is nobody's business. */
export function loggedPath(path: string): string {
  return (path.split('?', 1)[0] ?? '').slice(0, 200)
}
