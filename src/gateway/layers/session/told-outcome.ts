import { PrehendError } from '../../../core/index.ts'
import { lastAnswered, recordOutcome, withinDeadline } from '../../../sessions/index.ts'
import type { Scope } from '../../../stores/index.ts'
import type { GatewayParts } from '../../parts.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { leavingOut } from '../left-out.ts'
import { outcomeHeader } from '../../exchange/request-situation.ts'

/**
 * Records the outcome that a request's header gives the request before it in its session. Where that cannot be done, the request goes on
 * and its reply names the step.
 */
export async function recordToldOutcome(
  parts: GatewayParts,
  exchange: Exchange,
  { lane, quality }: { readonly lane: Scope; readonly quality: number },
): Promise<void> {
  const work = recorded(parts, lane, quality)
  await withinDeadline(work, parts.config.limits.stageMs).catch((error: unknown) =>
    leavingOut(parts, exchange)('outcome', error),
  )
}

async function recorded(parts: GatewayParts, lane: Scope, quality: number): Promise<void> {
  const requestId = await lastAnswered(parts.store, lane)
  if (requestId === undefined) throw noneBefore()
  await recordOutcome(parts, lane, { requestId, source: 'test', quality })
}

function noneBefore(): PrehendError<'not-found'> {
  const remedy = `Send ${outcomeHeader} with the request after the one that it judges, in the same session.`
  return new PrehendError('not-found', `The session has no request before this one. ${remedy}`, {
    what: 'request before',
    remedy,
  })
}
